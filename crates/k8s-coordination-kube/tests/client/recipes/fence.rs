//! *Fence writes*.

use std::cmp::Ordering;
use std::sync::Mutex;

use k8s_coordination_kube::lead::{FencingToken, Leadership};

fn write(leadership: &Leadership, store: &Store) -> Result<(), &'static str> {
    if !leadership.holds() {
        return Err("the term is over");
    }
    store.put("value", leadership.token()) // A pause here does no harm: the store checks the token.
}

/// The receiver.
#[derive(Default)]
struct Store(Mutex<Option<FencingToken>>);

impl Store {
    fn put(&self, value: &str, token: &FencingToken) -> Result<(), &'static str> {
        let mut newest = self.0.lock().map_err(|_| "a writer panicked")?;
        match newest.as_ref().map(|seen| token.partial_cmp(seen)) {
            Some(Some(Ordering::Less)) => return Err("an older term"),
            // The server does not number its objects, so a person has to say which term is later.
            Some(None) => return Err("a term without an order"),
            _ => *newest = Some(token.clone()),
        }
        println!("stores {value}");
        Ok(())
    }
}

#[test]
fn the_store_rejects_an_older_term() {
    use k8s_coordination_kube::lead::{Settings, lead};
    use std::sync::Arc;
    use testing::cluster::{Cluster, replay::run};
    use testing::server::{LEASE, NAMESPACE};

    let store = Arc::new(Store::default());
    run(async {
        let settings = Settings::new(NAMESPACE, LEASE, "me");
        let work = |leadership: Leadership| {
            let store = Arc::clone(&store);
            async move { write(&leadership, &store).unwrap() }
        };
        lead(Cluster::new(None).client(), settings, work).await.unwrap();
    });
    let token = store.0.lock().unwrap().clone().unwrap();
    let with_version = |number: &str| FencingToken {
        resource_version: format!("{}{number}", token.resource_version).into(),
        ..token.clone()
    };
    assert_eq!(store.put("value", &with_version("0")), Ok(()));
    assert_eq!(store.put("value", &token), Err("an older term"));
    assert_eq!(store.put("value", &with_version("x")), Err("a term without an order"));
    let again = FencingToken { uid: "again".into(), ..with_version("00") };
    assert_eq!(store.put("value", &again), Ok(()));
}
