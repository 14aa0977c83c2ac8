//! `coordination migrate`: copies candidates to another cluster, in its version.

use std::io::{self, Write};

use k8s_coordination::Quoted;
use k8s_coordination::conversion::{
    AnyLeaseCandidate, AnyVersion, ConversionFinding, ConversionReport, LeaseCandidatePolicies,
    LeaseCandidateVersion, Options,
};
use k8s_coordination::meta::v1::{FieldsV1, ManagedFieldsEntry, ObjectMeta};
use k8s_coordination::migration::{remove_server_fields, rewrite_managed_fields};
use k8s_coordination::requests::{ApiError, WriteParameters};
use k8s_coordination_kube::client::{self, Candidates};
use k8s_versioned_core::findings::count;
use k8s_versioned_terminal::{InputPlace, QuietArgs, ReportFormat};
use kube::Client;
use serde_json::Value;

use super::connect::connect;
use super::requests::context_name;
use crate::convert::{Filling, LAST_APPLIED, warn_of_last_applied};
use crate::elect::{Contests, complete};
use crate::input::{FilesArgs, InputObject, skipped};
use crate::note::Note;
use crate::object_report::ObjectReport;
use crate::{Error, Outcome};

const AFTER_HELP: &str = "\
Examples:
  coordination migrate --from old --to new --namespace kube-system
  coordination migrate --to new --yes candidates.yaml

The command first creates every object with a dry run, which stores no object, and prints the results. With --yes it then \
creates the objects and puts their managed fields back. It is safe to run again: in an existing object it changes only \
missing managed fields. The `pingTime` is left out: API servers of the other cluster wrote it. So are owner references: \
their owners do not exist in the target, which would delete the object. An object without a value that the version of the \
target requires is not copied: `--binary-version` fills the `binaryVersion`.

Exit codes: 0 if all objects can be copied, with --yes if all were copied; 1 if there are no candidates, or an object \
cannot be copied or read; 2 if a cluster or a file cannot be read; 130 after Ctrl-C.";

/// The arguments of `coordination migrate`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct MigrateArgs {
    /// The objects to copy.
    #[command(flatten)]
    pub files: FilesArgs,
    /// Read the candidates from the cluster of this context of the kubeconfig instead of files.
    #[arg(long, value_name = "CONTEXT", conflicts_with = "paths")]
    pub from: Option<String>,
    /// The context of the target [default: the current context].
    #[arg(long, value_name = "CONTEXT")]
    pub to: Option<String>,
    /// The value for an absent `binaryVersion`.
    #[command(flatten)]
    pub filling: Filling,
    /// Copy only the candidates of this namespace.
    #[arg(long, short, value_name = "NAMESPACE")]
    pub namespace: Option<String>,
    /// Give up when the API server sends nothing for this time; 0 waits forever.
    #[arg(long, value_name = "SECONDS", default_value_t = super::REQUEST_TIMEOUT, value_parser = super::seconds::<u32>)]
    pub request_timeout: u32,
    /// Create the objects, after the dry run.
    #[arg(long)]
    pub yes: bool,
    /// The format of the findings about the files. They go to the standard error.
    #[arg(long, value_parser = ReportFormat::one_of(&ReportFormat::BESIDE_TEXT), default_value = "text")]
    pub format: ReportFormat,
    /// What the findings leave out.
    #[command(flatten)]
    pub quiet: QuietArgs,
}

/// Reads the candidates of the arguments, and copies them to the target.
///
/// # Errors
///
/// The errors of [`run`], a file cannot be read, or there is no kubeconfig.
pub fn start(
    args: &MigrateArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Outcome, Error> {
    if args.from.is_some() && args.format.needs_files() {
        return Err(Error::NoPlace);
    }
    let mut report = ObjectReport::without_progress(args.format, args.quiet.quiet);
    let mut candidates = Vec::new();
    if args.from.is_none() {
        candidates = of_files(args, &mut report)?;
        report.write(true, (), err)?;
        let reason = match report.errors() {
            0 if candidates.is_empty() => Some(nothing("the input", args)),
            0 => None,
            errors => Some(format!("no object is copied: {}", count(errors, "error"))),
        };
        if let Some(reason) = reason {
            // A report for CI has the standard error for itself.
            match args.format {
                ReportFormat::Text => writeln!(err, "{reason}")?,
                _ => writeln!(out, "{reason}")?,
            }
            return Ok(Outcome::Failure);
        }
    }
    let seconds = args.request_timeout;
    super::run("interrupted: run it again to continue", async {
        if let Some(context) = &args.from {
            let (client, requests) = connect(Some(context), seconds).await?;
            let listed = of_cluster(&client, args.namespace.as_deref()).await;
            candidates = listed.map_err(|error| requests.name(error))?;
            if candidates.is_empty() {
                writeln!(err, "{}", nothing(&context_name(Some(context)), args))?;
                return Ok(Outcome::Failure);
            }
            for candidate in &candidates {
                let place = place_of(candidate.metadata());
                warn_of_kept(candidate, &place, &mut report);
            }
            report.write(true, (), err)?;
        }
        let (target, requests) = connect(args.to.as_deref(), seconds).await?;
        run(candidates, &target, args, out).await.map_err(|error| requests.name(error))
    })
}

/// The message that there is nothing to copy: a name can be wrong.
fn nothing(source: &str, args: &MigrateArgs) -> String {
    let namespace = args.namespace.as_deref();
    let within = namespace.map_or(String::new(), |namespace| format!(" in {}", Quoted(namespace)));
    format!("{source} has no candidates{within}")
}

/// The candidates in files. A candidate without a namespace is in `default`. The target has one of each name, in one version.
fn of_files(
    args: &MigrateArgs,
    report: &mut ObjectReport<'_>,
) -> Result<Vec<AnyLeaseCandidate>, Error> {
    let (mut candidates, mut names) = (Vec::new(), Contests::default());
    args.files.for_each(report, |object, report| {
        let InputObject { entry, place, value } = &object;
        if entry.decode_value(value).is_err() {
            report.undecodable(place, entry, value);
            return Ok(());
        }
        if entry.kind() != AnyLeaseCandidate::KIND {
            report.note(place, "", skipped(&entry.type_meta()));
            return Ok(());
        }
        let mut findings = ConversionReport::new();
        let mut candidate = match AnyLeaseCandidate::from_value(value, &mut findings) {
            Ok(candidate) => candidate,
            Err(error) => {
                report.note(place, "", Note::not_understood(&error.to_string()));
                return Ok(());
            }
        };
        let name = complete(candidate.metadata_mut(), "default");
        if let Err(note) = name.and_then(|name| names.once(AnyLeaseCandidate::KIND, &name, place)) {
            report.note(place, "", note);
            return Ok(());
        }
        if args.namespace.is_none() || args.namespace == candidate.metadata().namespace {
            warn_of_kept(&candidate, place, report);
            report.converted(place, Some(entry), &findings);
            candidates.push(candidate);
        }
        Ok(())
    })?;
    Ok(candidates)
}

/// The place of an object of a cluster.
fn place_of(metadata: &ObjectMeta) -> InputPlace<'static> {
    let namespace = metadata.namespace.as_deref().unwrap_or_default();
    InputPlace::input(format!("{namespace}/{}", metadata.name.as_deref().unwrap_or_default()))
}

/// Warns of the annotation of `kubectl apply`, if the candidate has it.
fn warn_of_kept(
    candidate: &AnyLeaseCandidate,
    place: &InputPlace<'_>,
    report: &mut ObjectReport<'_>,
) {
    if candidate.metadata().annotations.contains_key(LAST_APPLIED) {
        warn_of_last_applied(place, report);
    }
}

/// The candidates of a cluster.
///
/// # Errors
///
/// A request failed, or the cluster serves no candidates.
pub async fn of_cluster(
    client: &Client,
    namespace: Option<&str>,
) -> Result<Vec<AnyLeaseCandidate>, Error> {
    let candidates = Candidates::new(client.clone(), super::newest(client).await?);
    Ok(super::candidates(&candidates, namespace).await?.items)
}

/// An object to create in the target.
struct Transfer {
    namespace: String,
    name: String,
    object: AnyLeaseCandidate,
    managed_fields: Vec<ManagedFieldsEntry>,
    report: ConversionReport,
    /// What is left out, and what may not fit, by the path.
    notes: Vec<(&'static str, String)>,
}

/// The field manager of the requests.
const FIELD_MANAGER: &str = "coordination-migrate";

/// The number of times that an object is read again because the API server has changed it in between.
const ATTEMPTS: usize = 5;

/// The result of a transfer: the target has the object.
struct Transferred {
    /// The object was created, and did not exist before.
    created: bool,
    managed_fields: ManagedFields,
}

/// The managed fields of an object that the target has.
enum ManagedFields {
    /// They are there already, or there are none.
    There,
    PutBack,
    Missing(client::Error),
}

/// The numbers of objects that the target has, and of those without their managed fields.
#[derive(Default)]
struct Results {
    done: usize,
    /// The objects that the target had before, with their managed fields.
    existing: usize,
    without_managed_fields: usize,
    /// The error that would meet every object, after which no request was sent.
    broke: Option<client::Error>,
}

impl Results {
    /// Counts an object that the target has. Returns the line about it, and the error about its managed fields.
    fn add(&mut self, transferred: Transferred, dry_run: bool) -> (String, Option<client::Error>) {
        self.done += 1;
        self.existing += usize::from(transferred.is_complete());
        let line = transferred.text(dry_run);
        let ManagedFields::Missing(error) = transferred.managed_fields else {
            return (line, None);
        };
        self.without_managed_fields += 1;
        (line, Some(error))
    }
}

/// Transfers the candidates with a dry run, and with `--yes` without one.
///
/// # Errors
///
/// The target cannot be used, or a request got an error that every request would get.
pub async fn run(
    candidates: Vec<AnyLeaseCandidate>,
    target: &Client,
    args: &MigrateArgs,
    out: &mut dyn Write,
) -> Result<Outcome, Error> {
    let version = super::newest(target).await?;
    let client = Candidates::<AnyLeaseCandidate>::new(target.clone(), version);
    let options = Options::new(args.filling.policies());
    let candidates = candidates.into_iter();
    let transfers: Vec<_> = candidates.map(|one| prepare(one, version, &options)).collect();
    let (count, hint) = (transfers.len(), args.filling.hint());
    let dry_run = transfer(&client, &transfers, true, hint, out).await?;
    if let Some(error) = dry_run.broke {
        return Err(error.into());
    }
    if dry_run.done < count {
        let failed = count - dry_run.done;
        writeln!(out, "{failed} of {count} cannot be copied to {version}: no object was changed")?;
        return Ok(Outcome::Failure);
    }
    if !args.yes {
        let existing = dry_run.existing;
        let exist = match existing {
            0 => String::new(),
            1 => ", 1 exists".to_owned(),
            _ => format!(", {existing} exist"),
        };
        let new = count - existing;
        writeln!(out, "{new} can be copied to {version} with --yes{exist}: no object was changed")?;
        return Ok(Outcome::Success);
    }
    let Results { done, without_managed_fields, broke, .. } =
        transfer(&client, &transfers, false, hint, out).await?;
    write!(out, "{done} of {count} are in {version}")?;
    if without_managed_fields > 0 {
        write!(out, ", {without_managed_fields} without managed fields")?;
    }
    // Every object could be copied a moment ago.
    let again = done < count || without_managed_fields > 0;
    writeln!(out, "{}", if again { ": run it again" } else { "" })?;
    broke.map_or(Ok(Outcome::new(!again)), |error| Err(error.into()))
}

/// Prepares an object for the target. Its managed fields come later: servers ignore them on creation.
fn prepare(
    candidate: AnyLeaseCandidate,
    version: LeaseCandidateVersion,
    options: &Options<LeaseCandidatePolicies>,
) -> Transfer {
    let mut notes = Vec::new();
    if let Some(pinged) = candidate.ping_time() {
        notes.push(("spec.pingTime", format!("left out: {pinged}")));
    }
    let mut report = ConversionReport::new();
    let candidate = without_ping(candidate);
    let mut object = candidate.convert_to_reporting(version, options, &mut report);
    let metadata = object.metadata_mut();
    rewrite_managed_fields(metadata, LeaseCandidateVersion::ALL, version);
    let managed_fields = std::mem::take(&mut metadata.managed_fields);
    for owner in std::mem::take(&mut metadata.owner_references) {
        let name = format!("{}/{}", owner.kind, owner.name);
        notes.push(("metadata.ownerReferences", format!("left out: {}", Quoted(&name))));
    }
    for finalizer in &metadata.finalizers {
        let note = "kept; if no controller of the target removes it, the object cannot be deleted";
        notes.push(("metadata.finalizers", format!("{}: {note}", Quoted(finalizer))));
    }
    let mut kept = Vec::new();
    for entry in managed_fields {
        let manager = entry.manager.clone().unwrap_or_default();
        match disown_left_out(entry) {
            Ok(entry) => kept.extend(entry),
            Err(reason) => {
                let note = format!("left out: {}: {reason}", Quoted(&manager));
                notes.push(("metadata.managedFields", note));
            }
        }
    }
    remove_server_fields(metadata);
    Transfer {
        namespace: metadata.namespace.clone().unwrap_or_default(),
        name: metadata.name.clone().unwrap_or_default(),
        object,
        managed_fields: kept,
        report,
        notes,
    }
}

/// Returns `true` if the two are of one manager.
fn is_it(entry: &ManagedFieldsEntry, other: &ManagedFieldsEntry) -> bool {
    entry.manager == other.manager
        && entry.operation == other.operation
        && entry.subresource == other.subresource
}

fn without_ping(candidate: AnyLeaseCandidate) -> AnyLeaseCandidate {
    let mut value = serde_json::to_value(&candidate).unwrap_or_default();
    let spec = value.get_mut("spec").and_then(Value::as_object_mut);
    match spec.and_then(|spec| spec.remove("pingTime")) {
        None => candidate,
        Some(_) => serde_json::from_value(value).unwrap_or(candidate),
    }
}

/// An entry without the ownership of fields that are left out; `None` if it owns nothing else.
fn disown_left_out(
    mut entry: ManagedFieldsEntry,
) -> Result<Option<ManagedFieldsEntry>, serde_json::Error> {
    // A body in protobuf can have the fields without a text.
    let fields = entry.fields_v1.as_ref().filter(|fields| !fields.as_json().is_empty());
    let mut fields = fields.map_or(Ok(Value::Null), FieldsV1::to_value)?;
    for (parent, field) in [("f:spec", "f:pingTime"), ("f:metadata", "f:ownerReferences")] {
        let owned = fields.get_mut(parent).and_then(Value::as_object_mut);
        if let Some(owned) = owned
            && owned.remove(field).is_some()
        {
            if owned.is_empty()
                && let Some(fields) = fields.as_object_mut()
            {
                fields.remove(parent);
            }
            entry.fields_v1 = Some(fields.clone().into());
        }
    }
    let owns = fields.as_object().is_some_and(|fields| !fields.is_empty());
    Ok(owns.then_some(entry))
}

/// Transfers the objects until an error that would meet every object, and prints the results. The hint is about an absent
/// `binaryVersion`.
async fn transfer(
    client: &Candidates<AnyLeaseCandidate>,
    transfers: &[Transfer],
    dry_run: bool,
    hint: &str,
    out: &mut dyn Write,
) -> Result<Results, Error> {
    let mut all = Results::default();
    for (index, one) in transfers.iter().enumerate() {
        let name = format!("{}/{}", one.namespace, one.name);
        write!(out, "[{}/{}] {}: ", index + 1, transfers.len(), Quoted(&name))?;
        let mut missing = None;
        let (line, error) = match one.execute(client, dry_run).await {
            // The API server should have refused it: another one of the cluster will.
            Ok(transferred) if transferred.created && one.lacks(|_| true) => {
                let fills = one.lacks(|path| path == "spec.binaryVersion");
                missing = Some(if fills { hint } else { "write it into the source" });
                ("incomplete, so it is not created".to_owned(), None)
            }
            Ok(transferred) => all.add(transferred, dry_run),
            Err(error) => (super::message(&error), Some(error)),
        };
        writeln!(out, "{line}")?;
        let advice = error.as_ref().filter(|error| !meets_all(error)).and_then(client::Error::hint);
        write_hint(advice.as_deref(), out)?;
        if dry_run {
            one.write_findings(out)?;
        }
        write_hint(missing, out)?;
        all.broke = error.filter(meets_all);
        if all.broke.is_some() {
            break;
        }
    }
    Ok(all)
}

fn write_hint(hint: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
    hint.map_or(Ok(()), |hint| writeln!(out, "    hint: {hint}"))
}

/// Returns `true` if a request for any other object would get the same error.
fn meets_all(error: &client::Error) -> bool {
    error.api().is_none_or(|refusal| refusal.is_unauthorized() || refusal.is_too_many_requests())
}

impl Transferred {
    /// Returns `true` if the target had the object before, and nothing is to be done.
    fn is_complete(&self) -> bool {
        !self.created && matches!(self.managed_fields, ManagedFields::There)
    }

    fn text(&self, dry_run: bool) -> String {
        let (would_be, are) = if dry_run { ("would be ", "would be") } else { ("", "are") };
        let object = if self.created { format!("{would_be}created") } else { "exists".to_owned() };
        match &self.managed_fields {
            // The managed fields of a new object are put back in any case.
            _ if self.created && dry_run => object,
            ManagedFields::PutBack if !self.created => {
                format!("{object}; its managed fields {are} put back")
            }
            ManagedFields::There | ManagedFields::PutBack => object,
            ManagedFields::Missing(error) => {
                format!("{object}; its managed fields are not put back: {}", super::message(error))
            }
        }
    }
}

impl Transfer {
    /// Writes what the conversion reports, and the notes.
    fn write_findings(&self, out: &mut dyn Write) -> io::Result<()> {
        for (path, finding) in self.report.iter() {
            writeln!(out, "    {path}: {finding}")?;
        }
        self.notes.iter().try_for_each(|(path, note)| writeln!(out, "    {path}: {note}"))
    }

    /// Returns `true` if the object has no value in such a field, and servers of the target's version require one.
    fn lacks(&self, is_field: impl Fn(&str) -> bool) -> bool {
        let findings = self.report.iter();
        let mut missing =
            findings.filter(|(_, finding)| **finding == ConversionFinding::InvalidInTarget);
        missing.any(|(path, _)| is_field(path.as_str()))
    }

    async fn execute(
        &self,
        client: &Candidates<AnyLeaseCandidate>,
        dry_run: bool,
    ) -> Result<Transferred, client::Error> {
        let mut parameters = WriteParameters::default().with_field_manager(FIELD_MANAGER);
        if dry_run {
            parameters = parameters.with_dry_run("All");
        }
        let created = client.create(&self.namespace, self.object.clone(), &parameters).await;
        let (stored, created) = match created {
            Ok(reply) => (reply.body, true),
            Err(error) if error.api().is_some_and(ApiError::is_already_exists) => {
                let stored = client.get(&self.namespace, &self.name).await?.body;
                if !self.is_same(&stored) {
                    return Err(error);
                }
                (stored, false)
            }
            Err(error) => return Err(error),
        };
        let managed_fields = if self.has_managed_fields(&stored) {
            ManagedFields::There
        } else if dry_run {
            ManagedFields::PutBack
        } else {
            match self.put_managed_fields_back(client, stored).await {
                Ok(()) => ManagedFields::PutBack,
                Err(error) => ManagedFields::Missing(error),
            }
        };
        Ok(Transferred { created, managed_fields })
    }

    /// Returns `true` if the stored object of this name is the same one. Its times change while its program runs.
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

    /// Returns `true` if the managers of the original own their fields.
    fn has_managed_fields(&self, stored: &AnyLeaseCandidate) -> bool {
        let managers = &stored.metadata().managed_fields;
        self.managed_fields.iter().all(|wanted| managers.iter().any(|entry| is_it(entry, wanted)))
    }

    /// Puts the managed fields back; other managers keep theirs. An API server that elects changes a new object at once,
    /// when it pings the candidate: then the object is read again.
    async fn put_managed_fields_back(
        &self,
        client: &Candidates<AnyLeaseCandidate>,
        mut stored: AnyLeaseCandidate,
    ) -> Result<(), client::Error> {
        let parameters = WriteParameters::default().with_field_manager(FIELD_MANAGER);
        let mut attempts = 1;
        loop {
            let managers = &mut stored.metadata_mut().managed_fields;
            managers.retain(|entry| entry.manager.as_deref() != Some(FIELD_MANAGER));
            for wanted in &self.managed_fields {
                if !managers.iter().any(|entry| is_it(entry, wanted)) {
                    managers.push(wanted.clone());
                }
            }
            match client.replace(&self.namespace, &self.name, stored, &parameters).await {
                Ok(_) => return Ok(()),
                Err(error)
                    if attempts < ATTEMPTS && error.api().is_some_and(ApiError::is_conflict) =>
                {
                    attempts += 1;
                    stored = client.get(&self.namespace, &self.name).await?.body;
                }
                Err(error) => return Err(error),
            }
        }
    }
}
