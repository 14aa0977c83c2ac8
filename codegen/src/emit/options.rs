//! What the caller of the emitter chooses.

/// Where the generated code is, and what its files say of their origin.
#[derive(Clone, Debug)]
pub struct EmitOptions {
    /// The Rust path at which the generated modules can be reached, for example `crate`.
    pub root: String,
    /// The command that the header of each file names.
    pub command: String,
    /// The package to fill with the types that the rules give it (`crate = "NAME"`). `None`: the package with all other
    /// types, which refers to these.
    pub shared: Option<String>,
}
