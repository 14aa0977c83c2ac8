//! The rules that hold for every group.

use crate::Files;
use crate::gather::Gather;

/// The rules that hold for every group, which are part of the generator: the files of the folder `codegen/base`, by their names as in
/// a `specs/` folder.
pub(crate) fn base() -> Files {
    let files = [
        ("descriptions/meta.v1.toml", include_str!("../../base/descriptions/meta.v1.toml")),
        ("fields.toml", include_str!("../../base/fields.toml")),
        ("group.toml", include_str!("../../base/group.toml")),
        ("intrinsics.toml", include_str!("../../base/intrinsics.toml")),
        ("lifecycle.toml", include_str!("../../base/lifecycle.toml")),
        ("left-out.toml", include_str!("../../base/left-out.toml")),
        ("open-enums.toml", include_str!("../../base/open-enums.toml")),
    ];
    files.into_iter().map(|(path, text)| (path.to_owned(), text.into())).gather()
}
