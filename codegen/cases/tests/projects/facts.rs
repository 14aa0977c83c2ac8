//! What the conversions of the projects are, by hand.

/// The number of topmost paths in which the schemas of the two versions differ, and the lines of the Go code that converts the kind,
/// without comments, imports, blank lines and generated code. The code of some kinds is not apart from that of others.
pub(crate) fn of(project: &str, kind: &str) -> (u32, Option<u32>) {
    let all = ALL.iter().find(|(p, k, ..)| (*p, *k) == (project, kind));
    all.map_or((0, None), |(_, _, fields, lines)| (*fields, *lines))
}

/// The lines of Go of a project whose code is in files that several kinds share: also for kinds that are not here.
pub(crate) const OF_PROJECT: [(&str, u32); 1] = [("hetzner", 821)];

/// The kinds whose rules have more than a quarter of the lines of their Go code.
pub(crate) const OVER_A_QUARTER: [(&str, &str); 2] = [
    (
        "ClusterQueue",
        "seven rules for nine fields; most of the Go code for this kind is generated, and not counted",
    ),
    (
        "AWSCluster",
        "51 of its 54 rules name a field that v1beta1 lacks, a line each. Go restores these fields as well, and leaves all others to generated code",
    ),
];

const ALL: [(&str, &str, u32, Option<u32>); 25] = [
    ("aws", "AWSCluster", 54, Some(197)),
    ("aws", "AWSMachinePool", 17, Some(189)),
    ("aws", "AWSManagedControlPlane", 13, Some(201)),
    ("aws", "EKSConfig", 8, Some(118)),
    ("cluster-api", "Cluster", 57, Some(254)),
    ("cluster-api", "ClusterResourceSet", 8, Some(109)),
    ("cluster-api", "ClusterResourceSetBinding", 2, None),
    ("cluster-api", "ExtensionConfig", 7, Some(132)),
    ("cluster-api", "IPAddress", 5, None),
    ("cluster-api", "KubeadmConfig", 33, Some(851)),
    ("cluster-api", "MachineDeployment", 42, Some(416)),
    ("cluster-api", "MachineHealthCheck", 15, Some(123)),
    ("cluster-api", "MachinePool", 37, Some(172)),
    ("hetzner", "HCloudMachine", 10, None),
    ("hetzner", "HCloudMachineTemplate", 1, None),
    ("hetzner", "HetznerBareMetalHost", 21, None),
    ("hetzner", "HetznerBareMetalMachine", 10, None),
    ("kueue", "ClusterQueue", 9, Some(54)),
    ("kueue", "LocalQueue", 3, Some(44)),
    ("kueue", "MultiKueueCluster", 3, Some(55)),
    ("prometheus", "AlertmanagerConfig", 84, Some(1165)),
    ("tekton", "Pipeline", 7, Some(316)),
    ("tekton", "PipelineRun", 19, Some(342)),
    ("tekton", "ResolutionRequest", 3, Some(111)),
    ("tekton", "Task", 28, Some(279)),
];
