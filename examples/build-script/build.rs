//! Generates the module `api` from the definitions and rules in `specs`.

use k8s_versioned_codegen::{BuildError, Builder};

fn main() -> Result<(), BuildError> {
    println!("cargo::rerun-if-changed=specs");
    Builder::read("specs")?.build_script("api")
}
