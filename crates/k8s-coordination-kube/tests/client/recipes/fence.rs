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
            // The Lease was deleted and created again. Tokens do not say which one is newer, so a person does.
            Some(None) => return Err("a term of another Lease"),
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
    let later = FencingToken { transitions: token.transitions + 1, ..token.clone() };
    assert_eq!(store.put("value", &later), Ok(()));
    assert_eq!(store.put("value", &token), Err("an older term"));
    let other = FencingToken { uid: "other".into(), ..later };
    assert_eq!(store.put("value", &other), Err("a term of another Lease"));
}
