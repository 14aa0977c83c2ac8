//! The sources of candidates.

use std::fs;
use std::path::PathBuf;

use k8s_coordination::conversion::{AnyLeaseCandidate, AnyList, AnyVersion, ConversionReport};
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
        for document in documents {
            candidates.extend(objects(&document).map_err(&wrong)?);
        }
    }
    Ok(candidates)
}

fn objects(document: &Value) -> Result<Vec<AnyLeaseCandidate>, String> {
    let mut report = ConversionReport::new();
    if document.get("items").is_some() {
        let list = AnyList::<AnyLeaseCandidate>::from_value(document, &mut report);
        Ok(list.map_err(|error| error.to_string())?.items)
    } else {
        let object = AnyLeaseCandidate::from_value(document, &mut report);
        Ok(vec![object.map_err(|error| error.to_string())?])
    }
}
