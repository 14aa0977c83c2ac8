//! *Choose a version on a cluster*.

use k8s_coordination::v1beta1::LeaseCandidate;
use k8s_coordination_kube::client::{Candidates, served};

async fn renewals(client: kube::Client) -> Result<(), Box<dyn std::error::Error>> {
    let version = served(&client).await?.choose()?;
    let candidates = Candidates::<LeaseCandidate>::new(client, version);
    for candidate in candidates.list("kube-system", &Default::default()).await?.body.items {
        println!("{:?} was renewed at {:?}", candidate.metadata.name, candidate.spec.renew_time);
    }
    Ok(())
}

#[test]
fn an_older_version_is_chosen() {
    use serde_json::json;
    use std::sync::Arc;
    use testing::cluster::{recorded, replay::run};

    let list = format!("{}/v1alpha1/namespaces/kube-system/leasecandidates", recorded::GROUP);
    let candidates = json!({"apiVersion": "coordination.k8s.io/v1alpha1", "kind": "LeaseCandidateList",
        "metadata": {}, "items": [{"metadata": {"name": "a"}, "spec": {"leaseName": "scheduler",
        "preferredStrategies": ["OldestEmulationVersion"]}}]});
    let version = json!({"major": "1", "minor": "31", "gitVersion": "v1.31.0", "gitCommit": "",
        "gitTreeState": "", "buildDate": "", "goVersion": "", "compiler": "", "platform": ""});
    let replay = recorded::cluster("v1.31", "v1alpha1").and_get("/version", &version);
    let replay = Arc::new(replay.and_get(&list, &candidates));
    run(async { renewals(replay.client()).await.unwrap() });
    replay.assert_used_up();
}
