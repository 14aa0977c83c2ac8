//! The sources of candidates.

use std::fs;
use std::path::PathBuf;

use k8s_coordination::conversion::{AnyLeaseCandidate, AnyVersion, ConversionReport};
use k8s_coordination::for_each_object;
use k8s_coordination_kube::client::{Candidates, served};
use kube::Client;
use serde_json::Value;

use super::Options;
use super::common::{self, Failure};

/// The candidates of a cluster.
pub(crate) async fn cluster(
    client: &Client,
    options: &Options,
) -> Result<Vec<AnyLeaseCandidate>, Failure> {
    let version = served(client).await?.choose()?;
    let candidates = Candidates::<AnyLeaseCandidate>::new(client.clone(), version);
    let namespace = options.namespace.as_deref();
    Ok(common::cluster::candidates(&candidates, namespace).await?.items)
}

/// The candidates in files, as `kubectl get -o yaml` or `-o json` writes them.
pub(crate) fn files(files: &[PathBuf]) -> Result<Vec<AnyLeaseCandidate>, Failure> {
    let mut candidates = Vec::new();
    for file in files {
        let wrong = |error: String| {
            let error = format!("{}: {error}", file.display());
            Failure::new(
                error,
                "it should hold candidates, as `kubectl get leasecandidates -o yaml` writes them",
            )
        };
        let text = fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
        let documents: Vec<Value> =
            serde_saphyr::from_multiple(&text).map_err(|error| wrong(error.to_string()))?;
        for mut document in documents {
            candidates.extend(objects(&mut document).map_err(&wrong)?);
        }
    }
    Ok(candidates)
}

fn objects(document: &mut Value) -> Result<Vec<AnyLeaseCandidate>, String> {
    let mut found = Vec::new();
    for_each_object(document, &|of| of.kind == AnyLeaseCandidate::LIST_KIND, &mut |part| {
        if !part.is_list {
            let read = AnyLeaseCandidate::from_value(part.value, &mut ConversionReport::new());
            found.push(read.map_err(|error| format!("{:?}: {error}", part.position)));
        }
    });
    found.into_iter().collect()
}
