//! A stored object goes from `v1alpha1` to `v1` and back: the first screen of the repository's README shows it.

use example_webhook::conversion::ConvertTo;
use example_webhook::{v1, v1alpha1};

const STORED: &str = r#"{"metadata": {"name": "nightly"}, "spec": {"schedule": "0 3 * * *", "mode": "Changes",
    "targets": [{"name": "db", "path": "/data", "retention": "30", "priority": 5}]}}"#;

fn main() -> Result<(), serde_json::Error> {
    let old: v1alpha1::Backup = serde_json::from_str(STORED)?;
    let (new, report) = old.clone().convert_to::<v1::Backup>();
    println!("{}\n{report}", serde_json::to_string(&new.spec)?);

    let (back, _) = new.convert_to::<v1alpha1::Backup>();
    assert_eq!(back, old);
    Ok(())
}
