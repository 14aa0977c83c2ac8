//! Names in Rust for fields, of which several can have the same name.

use super::plan::FieldRef;

/// The field's name or, if that is taken, the names of its path joined.
pub(super) fn distinct(field: &FieldRef, taken: impl Fn(&str) -> bool) -> String {
    let own = field.ident();
    if !taken(own) {
        return own.to_owned();
    }
    let mut name = match field.idents.as_slice() {
        // A single name stays raw if it is a keyword.
        [_] => own.to_owned(),
        _ => field.joined(),
    };
    // Paths of different fields can give the same name: `spec.size` and `specSize`.
    while taken(&name) {
        name.push('_');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Place;
    use crate::plan::{ItemPath, Origin, RustType};

    fn field(idents: &[&str]) -> FieldRef {
        FieldRef {
            path: String::new(),
            idents: idents.iter().map(|ident| (*ident).to_owned()).collect(),
            of: ItemPath { origin: Origin::Generated, module: String::new(), name: String::new() },
            rust_type: RustType::Bool,
            keys: Vec::new(),
            optional: false,
            place: Place::file("document.json"),
        }
    }

    #[test]
    fn taken_names() {
        let table: [(&[&str], &[&str], &str); 7] = [
            (&["spec", "size"], &[], "size"),
            (&["spec", "size"], &["size"], "spec_size"),
            (&["spec", "size"], &["size", "spec_size"], "spec_size_"),
            (&["spec", "r#type"], &[], "r#type"),
            (&["spec", "r#type"], &["r#type"], "spec_type"),
            (&["r#type"], &["r#type"], "r#type_"),
            (&["r#loop", "r#type"], &["r#type"], "loop_type"),
        ];
        for (idents, taken, expected) in table {
            let found = distinct(&field(idents), |name| taken.contains(&name));
            assert_eq!(found, expected, "{idents:?} {taken:?}");
        }
    }
}
