//! The fields in which our conversions differ from those of the projects, each with its reason.

use crate::compare::Difference;

/// A difference that we know.
pub(crate) struct Known {
    pub(crate) kind: &'static str,
    /// The version from which the object is converted.
    pub(crate) from: &'static str,
    /// The path of the field in the other version; `a.*` is any field inside of `a`.
    pub(crate) path: &'static str,
    pub(crate) what: What,
    pub(crate) why: Why,
    /// What happens, for people.
    pub(crate) note: &'static str,
}

/// What is different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// Only our object has a value.
    OnlyOurs,
    /// Only the object of the project has a value.
    OnlyTheirs,
    /// Both have a value, and not the same.
    Unequal,
}

/// Whose doing it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// The project's code loses the value, which both versions have.
    Lost,
    /// The project's code writes a value that the object does not have.
    Default,
    /// The project's code leaves a default to the server, which a conversion here fills in.
    LeftToServer,
    /// The project's code takes another one of several values, or another order.
    Choice,
}

impl Why {
    /// For the page.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Lost => "Go loses it",
            Self::Default => "Go writes a value of its own",
            Self::LeftToServer => "Go leaves the default to the server",
            Self::Choice => "Go chooses otherwise",
        }
    }
}

/// A list whose order the project's code chooses by a map of Go, so that it differs from run to run.
pub(crate) struct Unordered {
    pub(crate) kind: &'static str,
    /// The version from which the object is converted.
    pub(crate) from: &'static str,
    /// The pointer to the list in the other version.
    pub(crate) list: &'static str,
    /// The field of the items by which both lists are sorted before they are compared.
    pub(crate) by: &'static str,
}

/// All of these.
pub(crate) const UNORDERED: [Unordered; 1] =
    [Unordered { kind: "ResolutionRequest", from: "v1alpha1", list: "/spec/params", by: "name" }];

impl Known {
    /// Whether it explains a difference.
    pub(crate) fn explains(&self, kind: &str, from: &str, found: &Difference) -> bool {
        let is_at = match self.path.strip_suffix(".*") {
            Some(object) => found
                .path
                .strip_prefix(object)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '['])),
            None => found.path == self.path,
        };
        let what = match (&found.ours, &found.theirs) {
            (Some(_), None) => What::OnlyOurs,
            (None, Some(_)) => What::OnlyTheirs,
            _ => What::Unequal,
        };
        self.kind == kind && self.from == from && is_at && self.what == what
    }
}

const fn known(
    (kind, from): (&'static str, &'static str),
    path: &'static str,
    what: What,
    why: Why,
    note: &'static str,
) -> Known {
    Known { kind, from, path, what, why, note }
}

use What::{OnlyOurs, OnlyTheirs, Unequal};
use Why::{Choice, Default, LeftToServer, Lost};

/// All of them.
#[rustfmt::skip]
pub(crate) const KNOWN: &[Known] = &[
    known(("MultiKueueCluster", "v1beta1"), "spec.clusterSource.kubeConfig.locationType", OnlyOurs, Lost, "a kubeconfig without a location"),
    known(("MultiKueueCluster", "v1beta2"), "spec.kubeConfig.locationType", OnlyOurs, LeftToServer, "`Secret`"),
    known(("ResolutionRequest", "v1alpha1"), "status.annotations.*", OnlyOurs, Lost, "a field that both versions have"),
    known(("ResolutionRequest", "v1alpha1"), "status.conditions.*", OnlyOurs, Lost, "a field that both versions have"),
    known(("ResolutionRequest", "v1alpha1"), "status.observedGeneration.*", OnlyOurs, Lost, "a field that both versions have"),
    known(("ResolutionRequest", "v1beta1"), "status.annotations.*", OnlyOurs, Lost, "a field that both versions have"),
    known(("ResolutionRequest", "v1beta1"), "status.conditions.*", OnlyOurs, Lost, "a field that both versions have"),
    known(("ResolutionRequest", "v1beta1"), "status.observedGeneration.*", OnlyOurs, Lost, "a field that both versions have"),
    known(("Pipeline", "v1"), "spec.tasks[].pipelineRef.*", OnlyOurs, Lost, "a field that both versions have"),
    known(("Pipeline", "v1"), "spec.tasks[].pipelineSpec.*", OnlyOurs, Lost, "a field that both versions have"),
    known(("Pipeline", "v1"), "spec.finally[].pipelineRef.*", OnlyOurs, Lost, "a field that both versions have"),
    known(("Pipeline", "v1"), "spec.finally[].pipelineSpec.*", OnlyOurs, Lost, "a field that both versions have"),
    known(("PipelineRun", "v1"), "spec.managedBy", OnlyOurs, Lost, "a field that both versions have"),
    known(("PipelineRun", "v1"), "status.spanContext.*", OnlyOurs, Lost, "a field that both versions have"),
    known(("Pipeline", "v1beta1"), "spec.tasks[].pipelineRef.*", OnlyOurs, Lost, "a field that both versions have"),
    known(("Pipeline", "v1beta1"), "spec.tasks[].pipelineSpec.*", OnlyOurs, Lost, "a field that both versions have"),
    known(("Pipeline", "v1beta1"), "spec.finally[].pipelineRef.*", OnlyOurs, Lost, "a field that both versions have"),
    known(("Pipeline", "v1beta1"), "spec.finally[].pipelineSpec.*", OnlyOurs, Lost, "a field that both versions have"),
    known(("PipelineRun", "v1beta1"), "spec.managedBy", OnlyOurs, Lost, "a field that both versions have"),
    known(("PipelineRun", "v1beta1"), "status.spanContext.*", OnlyOurs, Lost, "a field that both versions have"),
    known(("PipelineRun", "v1"), "spec.taskRunSpecs[].metadata.*", OnlyOurs, Lost, "the metadata of one item is written to another one"),
    known(("PipelineRun", "v1"), "spec.taskRunSpecs[].metadata.*", OnlyTheirs, Default, "the metadata of another item"),
    known(("AWSManagedControlPlane", "v1beta2"), "spec.addons[].conflictResolution", Unequal, Choice, "the word `preserve`, which servers of v1beta1 refuse"),
    known(("AlertmanagerConfig", "v1beta1"), "spec.receivers[].pushoverConfigs[].ttl", OnlyOurs, Lost, "a field that both versions have"),
    known(("KubeadmConfig", "v1beta1"), "spec.joinConfiguration.timeouts.*", OnlyTheirs, Choice, "`timeoutForControlPlane` of the API server, which Go writes to both configurations"),
];
