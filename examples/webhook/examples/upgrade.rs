//! A stored object goes from `v1alpha1` to `v1` and back: the first screen of the repository's README shows it.

use example_webhook::conversion::ConvertObject;
use example_webhook::{v1, v1alpha1};

const STORED: &str = r#"{"metadata": {"name": "nightly"}, "spec": {"schedule": "0 3 * * *", "mode": "Changes",
    "targets": [{"name": "db", "path": "/data", "retention": "30", "priority": 5}]}}"#;

fn main() -> Result<(), serde_json::Error> {
    let old: v1alpha1::Backup = serde_json::from_str(STORED)?;
    let (new, report): (v1::Backup, _) = old.clone().convert();
    println!("{}\n{report}", serde_json::to_string(&new.spec)?);

    let (back, _): (v1alpha1::Backup, _) = new.convert();
    assert_eq!(back, old);
    Ok(())
}
