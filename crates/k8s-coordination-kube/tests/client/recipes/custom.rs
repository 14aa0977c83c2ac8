//! *A CRD's types*.

use backup_types::v1;
use k8s_versioned_kube::Object;
use kube::{Api, Client, ResourceExt};

async fn schedules(client: Client) -> Result<(), kube::Error> {
    let backups: Api<Object<v1::Backup>> = Api::all(client);
    for backup in backups.list(&Default::default()).await? {
        println!("{} runs {}", backup.name_any(), backup.spec.schedule);
    }
    Ok(())
}

#[test]
fn the_objects_of_a_definition_are_listed() {
    use serde_json::json;
    use std::sync::Arc;
    use testing::cluster::replay::{Replay, run};

    let list = json!({"apiVersion": "storage.example.com/v1", "kind": "BackupList", "metadata": {},
        "items": [{"apiVersion": "storage.example.com/v1", "kind": "Backup", "metadata": {"name": "home"},
        "spec": {"schedule": "daily"}}]});
    let replay = Replay::default().and_get("/apis/storage.example.com/v1/backups", &list);
    let replay = Arc::new(replay);
    run(async { schedules(replay.client()).await.unwrap() });
    replay.assert_used_up();
}
