//! The place of a field, which costs nothing as long as the field is valid.

use k8s_versioned::field::FieldPath;

/// The place of a field. It becomes a path only for an error of the field. Row: validate.
#[derive(Clone, Copy)]
pub(super) enum Place<'a> {
    Field(&'static str),
    Child(&'a Place<'a>, &'static str),
    Item(&'a Place<'a>, usize),
}

impl Place<'_> {
    /// A field of the value at this place.
    pub(super) const fn child(&self, field: &'static str) -> Place<'_> {
        Place::Child(self, field)
    }

    /// An item of the list at this place, counted from 0.
    pub(super) const fn index(&self, index: usize) -> Place<'_> {
        Place::Item(self, index)
    }
}

impl From<Place<'_>> for FieldPath {
    fn from(place: Place<'_>) -> Self {
        match place {
            Place::Field(field) => Self::new(field),
            Place::Child(of, field) => Self::from(*of).child(field),
            Place::Item(of, index) => Self::from(*of).index(index),
        }
    }
}
