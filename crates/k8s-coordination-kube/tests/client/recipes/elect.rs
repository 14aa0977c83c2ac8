//! *Elect in a controller*.

use k8s_coordination_kube::lead::{Driver, LeadError, Leadership, Settings};
use kube::Client;

/// In a pod: `contend(lead::client().await?, Settings::in_cluster("my-controller")?, stop)`, where `stop` is a
/// signal, such as `async { _ = tokio::signal::ctrl_c().await }`.
async fn contend(
    client: Client,
    settings: Settings,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), LeadError> {
    Driver::new(client, settings)?.with_shutdown(stop).run(control).await
}

async fn control(leadership: Leadership) {
    while leadership.holds() {
        // One step of the work.
        tokio::select! {
            () = tokio::time::sleep(std::time::Duration::from_secs(1)) => {}
            () = leadership.stopped() => return,
        }
    }
}

#[test]
fn it_leads_until_the_signal() {
    use testing::cluster::{Cluster, replay::run};
    use testing::server::{LEASE, NAMESPACE};

    let after = |seconds| tokio::time::sleep(std::time::Duration::from_secs(seconds));
    run(async {
        let cluster = Cluster::new(None);
        let settings = Settings::new(NAMESPACE, LEASE, "me");
        let contend = contend(cluster.client(), settings, async move { after(60).await });
        let holder = async {
            after(30).await;
            cluster.holder()
        };
        let (result, holder) = tokio::join!(contend, holder);
        result.unwrap();
        assert_eq!(holder.as_deref(), Some("me"));
        assert_ne!(cluster.holder().as_deref(), Some("me"));
    });
}
