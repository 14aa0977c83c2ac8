//! Copies candidates to another cluster, in its version.

#[path = "../common/mod.rs"]
mod common;
pub(crate) mod source;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use k8s_coordination::Quoted;
use k8s_coordination::conversion::{
    AnyLeaseCandidate, AnyVersion, ConversionReport, LeaseCandidateVersion,
};
use k8s_coordination::meta::v1::ManagedFieldsEntry;
use k8s_coordination::migration::{remove_server_fields, rewrite_managed_fields};
use k8s_coordination::requests::{ApiError, WriteParameters};
use k8s_coordination_kube::client::{Candidates, Error, served};
use kube::Client;
use serde_json::Value;

use common::Failure;

/// Copies candidates of any version, from files or from a cluster, to another cluster in the version that it serves.
///
/// It first creates every object with a dry run, which stores no object, and prints the results. With `--yes` it then
/// creates the objects and puts their managed fields back. It is safe to run again: of an object that exists it changes
/// only missing managed fields.
///
/// The exit code is 0 if all objects were copied, 1 if an object cannot be copied, 2 if a cluster or a file cannot be read,
/// and 130 after Ctrl-C.
#[derive(Debug, Parser)]
#[command(name = "migrate")]
pub(crate) struct Options {
    /// Files with candidates, as `kubectl get leasecandidates -o yaml` writes them
    #[arg(required_unless_present = "from_context")]
    pub(crate) files: Vec<PathBuf>,
    /// Reads the candidates from the cluster of this context instead of files
    #[arg(long, value_name = "CONTEXT", conflicts_with = "files")]
    pub(crate) from_context: Option<String>,
    /// Copies only the candidates of this namespace
    #[arg(short, long)]
    pub(crate) namespace: Option<String>,
    /// The context of the target; by default the current context
    #[arg(long)]
    pub(crate) context: Option<String>,
    /// Creates the objects, after the dry run
    #[arg(long)]
    pub(crate) yes: bool,
}

/// An object to create in the target.
struct Transfer {
    namespace: String,
    name: String,
    object: AnyLeaseCandidate,
    managed_fields: Vec<ManagedFieldsEntry>,
    report: ConversionReport,
}

/// The result of a transfer.
#[derive(Clone, Copy)]
enum Transferred {
    Created,
    /// The object exists without its managed fields: an earlier run was interrupted.
    Completed,
    Exists,
}

/// Transfers the candidates with a dry run, and with `--yes` without one.
pub(crate) async fn run(
    candidates: Vec<AnyLeaseCandidate>,
    target: &Client,
    options: &Options,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let version = served(target).await?.choose()?;
    let client = Candidates::<AnyLeaseCandidate>::new(target.clone(), version);
    let wanted = |candidate: &AnyLeaseCandidate| {
        options.namespace.is_none() || options.namespace == candidate.metadata().namespace
    };
    let transfers: Vec<_> =
        candidates.into_iter().filter(wanted).map(|one| prepare(one, version)).collect();
    let count = transfers.len();
    let failed = transfer(&client, &transfers, true, out).await?;
    if failed > 0 {
        writeln!(out, "{failed} of {count} cannot be copied to {version}: no object was changed")?;
        return Ok(ExitCode::FAILURE);
    }
    if !options.yes {
        writeln!(out, "{count} can be copied to {version} with --yes: no object was changed")?;
        return Ok(ExitCode::SUCCESS);
    }
    let failed = transfer(&client, &transfers, false, out).await?;
    writeln!(out, "{} of {count} are in {version}", count - failed)?;
    Ok(ExitCode::from(u8::from(failed > 0)))
}

/// Prepares an object for the target. Its managed fields come later: servers ignore them on creation.
fn prepare(candidate: AnyLeaseCandidate, version: LeaseCandidateVersion) -> Transfer {
    let (mut object, report) = candidate.convert_to(version);
    let metadata = object.metadata_mut();
    rewrite_managed_fields(metadata, LeaseCandidateVersion::ALL, version);
    let managed_fields = std::mem::take(&mut metadata.managed_fields);
    remove_server_fields(metadata);
    Transfer {
        namespace: metadata.namespace.clone().unwrap_or_default(),
        name: metadata.name.clone().unwrap_or_default(),
        object,
        managed_fields,
        report,
    }
}

/// Transfers the objects, and prints the results. Returns the number of failures.
async fn transfer(
    client: &Candidates<AnyLeaseCandidate>,
    transfers: &[Transfer],
    dry_run: bool,
    out: &mut impl Write,
) -> Result<usize, Failure> {
    let mut failed = 0;
    for (index, one) in transfers.iter().enumerate() {
        let name = format!("{}/{}", one.namespace, one.name);
        write!(out, "[{}/{}] {}: ", index + 1, transfers.len(), Quoted(&name))?;
        match one.execute(client, dry_run).await {
            Ok(transferred) => writeln!(out, "{}", transferred.text(dry_run))?,
            Err(error) if error.api().is_none() => return Err(error.into()),
            Err(error) => {
                failed += 1;
                writeln!(out, "{error}")?;
            }
        }
        if dry_run {
            for (path, finding) in one.report.iter() {
                writeln!(out, "    {path}: {finding}")?;
            }
        }
    }
    Ok(failed)
}

impl Transferred {
    fn text(self, dry_run: bool) -> &'static str {
        match (self, dry_run) {
            (Self::Created, true) => "would be created",
            (Self::Created, false) => "created",
            (Self::Completed, true) => "exists; its managed fields would be put back",
            (Self::Completed, false) => "exists; its managed fields are put back",
            (Self::Exists, _) => "exists",
        }
    }
}

impl Transfer {
    async fn execute(
        &self,
        client: &Candidates<AnyLeaseCandidate>,
        dry_run: bool,
    ) -> Result<Transferred, Error> {
        let mut parameters = WriteParameters::default();
        if dry_run {
            parameters = parameters.with_dry_run("All");
        }
        let created = client.create(&self.namespace, self.object.clone(), &parameters).await;
        let (stored, transferred) = match created {
            Ok(reply) => (reply.body, Transferred::Created),
            Err(error) if error.api().is_some_and(ApiError::is_already_exists) => {
                let stored = client.get(&self.namespace, &self.name).await?.body;
                if !self.is_same(&stored) {
                    return Err(error);
                }
                let complete = self.has_managed_fields(&stored);
                (stored, if complete { Transferred::Exists } else { Transferred::Completed })
            }
            Err(error) => return Err(error),
        };
        if !dry_run && !self.has_managed_fields(&stored) {
            self.put_managed_fields_back(client, stored).await?;
        }
        Ok(transferred)
    }

    /// True if the stored object of this name is the same one. Its times change while its program runs.
    fn is_same(&self, stored: &AnyLeaseCandidate) -> bool {
        let spec = |candidate: &AnyLeaseCandidate| {
            let mut value = serde_json::to_value(candidate).unwrap_or_default();
            let mut spec = value.get_mut("spec").map(Value::take).unwrap_or_default();
            if let Some(fields) = spec.as_object_mut() {
                fields.retain(|name, _| name != "renewTime" && name != "pingTime");
            }
            spec
        };
        spec(stored) == spec(&self.object)
    }

    /// True if the managers of the original own their fields.
    fn has_managed_fields(&self, stored: &AnyLeaseCandidate) -> bool {
        let managers = &stored.metadata().managed_fields;
        self.managed_fields.iter().all(|wanted| {
            let is_it = |entry: &ManagedFieldsEntry| {
                entry.manager == wanted.manager && entry.operation == wanted.operation
            };
            managers.iter().any(is_it)
        })
    }

    async fn put_managed_fields_back(
        &self,
        client: &Candidates<AnyLeaseCandidate>,
        mut stored: AnyLeaseCandidate,
    ) -> Result<(), Error> {
        stored.metadata_mut().managed_fields.clone_from(&self.managed_fields);
        let parameters = WriteParameters::default();
        client.replace(&self.namespace, &self.name, stored, &parameters).await?;
        Ok(())
    }
}

fn main() -> ExitCode {
    let options = Options::parse();
    let work = async {
        let source = match &options.from_context {
            Some(context) => {
                source::cluster(&common::connect(Some(context.clone())).await?, &options).await?
            }
            None => source::files(&options.files)?,
        };
        let target = common::connect(options.context.clone()).await?;
        run(source, &target, &options, &mut std::io::stdout()).await
    };
    common::run(work, "interrupted: run it again to continue")
}
