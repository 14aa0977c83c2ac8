//! A rule over numbers and short texts is evaluated without memory of its own.

use k8s_cel::{Release, RuleScope, Rules};
use serde_json::json;

#[test]
fn rules_over_numbers_and_short_texts_allocate_nothing() {
    let schema = json!({
        "type": "object",
        "properties": {
            "min": {"type": "integer"},
            "max": {"type": "integer"},
            "share": {"type": "number"},
            "mode": {"type": "string"},
            "ports": {"type": "array", "items": {"type": "object", "properties": {
                "name": {"type": "string"}, "port": {"type": "integer"},
            }}},
        },
        "x-kubernetes-validations": [
            {"rule": "self.min <= self.max && self.share < 1.0"},
            {"rule": "self.mode == 'full' ? self.max - self.min > 1 : self.mode in ['quick', 'none']"},
            {"rule": "!has(self.mode) || self.mode.startsWith('f')"},
            {"rule": "self.ports.all(p, p.port > 0 && p.port < 65536 && p.name.size() < 16)"},
            {"rule": "self.ports.exists_one(p, p.name == 'http')"},
        ],
    });
    let value = json!({
        "min": 1, "max": 5, "share": 0.5, "mode": "full",
        "ports": [{"name": "http", "port": 80}, {"name": "https", "port": 443}],
    });
    let scope = RuleScope { release: Release::new(1, 36), is_root: false };
    let rules = Rules::compile(&schema, scope).unwrap();
    assert!(rules.judge(&value, None).is_empty());
    let count = allocation_counter::measure(|| drop(rules.judge(&value, None)));
    assert_eq!(count.count_total, 0);
}
