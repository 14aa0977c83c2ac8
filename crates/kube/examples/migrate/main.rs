//! Moves candidates into the version of another cluster.

#[path = "../common/mod.rs"]
mod common;
pub(crate) mod source;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use k8s_coordination::Quoted;
use k8s_coordination::conversion::ConversionReport;
use k8s_coordination::conversion::{AnyLeaseCandidate, AnyVersion, LeaseCandidateVersion};
use k8s_coordination::meta::v1::ManagedFieldsEntry;
use k8s_coordination::migration::{remove_server_fields, rewrite_managed_fields};
use k8s_coordination::operation::{ApiError, WriteParameters};
use k8s_coordination_kube::client::{Candidates, Error, served};
use kube::Client;
use serde_json::Value;

use common::Failure;

/// Moves candidates of any version, from files or from a cluster, into the version that another cluster serves.
///
/// First every object is created on trial, which stores nothing, and what would happen is told. With `--yes` the
/// objects are then created, and their managed fields put back. It is safe to run again: what is there already is
/// left alone.
///
/// The exit code is 0 if all is well, 1 if an object cannot be moved, and 2 if a cluster or a file cannot be read.
#[derive(Debug, Parser)]
#[command(name = "migrate")]
pub(crate) struct Options {
    /// Files with candidates, as `kubectl get leasecandidates -o yaml` writes them
    #[arg(required_unless_present = "from_context")]
    pub(crate) files: Vec<PathBuf>,
    /// Takes the candidates from the cluster of this context rather than from files
    #[arg(long, value_name = "CONTEXT", conflicts_with = "files")]
    pub(crate) from_context: Option<String>,
    /// Takes the candidates of this namespace alone
    #[arg(short, long)]
    pub(crate) namespace: Option<String>,
    /// The context of the target; the current one without it
    #[arg(long)]
    pub(crate) context: Option<String>,
    /// Does it, rather than only trying
    #[arg(long)]
    pub(crate) yes: bool,
}

/// An object to move.
struct Move {
    namespace: String,
    name: String,
    object: AnyLeaseCandidate,
    managed_fields: Vec<ManagedFieldsEntry>,
    report: ConversionReport,
}

/// The result for an object.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Created,
    /// It is there, and its managed fields are not: an earlier run was interrupted.
    Finished,
    Present,
}

/// Tries all, and with `--yes` moves all.
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
    let moves: Vec<_> =
        candidates.into_iter().filter(wanted).map(|one| prepare(one, version)).collect();
    let failed = each(&client, &moves, true, out).await?;
    if failed > 0 {
        writeln!(
            out,
            "{failed} of {} cannot be moved to {version}: nothing was changed",
            moves.len()
        )?;
        return Ok(ExitCode::FAILURE);
    }
    if !options.yes {
        writeln!(
            out,
            "{} can be moved to {version}: nothing was changed; --yes does it",
            moves.len()
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    let failed = each(&client, &moves, false, out).await?;
    writeln!(out, "{} of {} are in {version}", moves.len() - failed, moves.len())?;
    Ok(ExitCode::from(u8::from(failed > 0)))
}

/// The object as the target is to have it, and its managed fields apart: no server takes them on creation.
fn prepare(candidate: AnyLeaseCandidate, version: LeaseCandidateVersion) -> Move {
    let (mut object, report) = candidate.convert_to(version);
    let metadata = object.metadata_mut();
    rewrite_managed_fields(metadata, LeaseCandidateVersion::ALL, version);
    let managed_fields = std::mem::take(&mut metadata.managed_fields);
    remove_server_fields(metadata);
    Move {
        namespace: metadata.namespace.clone().unwrap_or_default(),
        name: metadata.name.clone().unwrap_or_default(),
        object,
        managed_fields,
        report,
    }
}

/// Moves all, or tries to; returns how many failed.
async fn each(
    client: &Candidates<AnyLeaseCandidate>,
    moves: &[Move],
    trial: bool,
    out: &mut impl Write,
) -> Result<usize, Failure> {
    let mut failed = 0;
    for (index, one) in moves.iter().enumerate() {
        let name = format!("{}/{}", one.namespace, one.name);
        write!(out, "[{}/{}] {}: ", index + 1, moves.len(), Quoted(&name))?;
        match one.carry_out(client, trial).await {
            Ok(fate) => writeln!(out, "{}", fate.text(trial))?,
            Err(error) if error.api().is_none() => return Err(error.into()),
            Err(error) => {
                failed += 1;
                writeln!(out, "{error}")?;
            }
        }
        if trial {
            for (path, finding) in one.report.iter() {
                writeln!(out, "    {path}: {finding}")?;
            }
        }
    }
    Ok(failed)
}

impl Fate {
    fn text(self, trial: bool) -> &'static str {
        match (self, trial) {
            (Self::Created, true) => "would be created",
            (Self::Created, false) => "created",
            (Self::Finished, true) => "is there already; its managed fields would be put back",
            (Self::Finished, false) => "is there already; its managed fields are put back",
            (Self::Present, _) => "is there already",
        }
    }
}

impl Move {
    async fn carry_out(
        &self,
        client: &Candidates<AnyLeaseCandidate>,
        trial: bool,
    ) -> Result<Fate, Error> {
        let mut parameters = WriteParameters::default();
        if trial {
            parameters = parameters.with_dry_run("All");
        }
        let created = client.create(&self.namespace, self.object.clone(), &parameters).await;
        let (stored, fate) = match created {
            Ok(reply) => (reply.body, Fate::Created),
            Err(error) if error.api().is_some_and(ApiError::is_already_exists) => {
                let stored = client.get(&self.namespace, &self.name).await?.body;
                if !self.is_same(&stored) {
                    return Err(error);
                }
                let fate =
                    if self.has_managed_fields(&stored) { Fate::Present } else { Fate::Finished };
                (stored, fate)
            }
            Err(error) => return Err(error),
        };
        if !trial && !self.has_managed_fields(&stored) {
            self.put_managed_fields_back(client, stored).await?;
        }
        Ok(fate)
    }

    /// True if an object of this name is the moved one. Its times change while its program lives.
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
    common::run(work, "interrupted: run it again, and it goes on where it stopped")
}
