//! The last member of an object that was looked up.

use std::cell::Cell;

use serde_json::{Map, Value as Json};

use super::value::Data;
use crate::check::schema::Property;

/// The last member that was looked up. Most rules read a field twice: they ask whether it is there and then for its value,
/// or compare it with two limits.
#[derive(Default)]
pub(super) struct Memo<'v>(Cell<Option<Found<'v>>>);

#[derive(Clone, Copy)]
struct Found<'v> {
    members: &'v Map<String, Json>,
    property: &'v Property,
    member: Option<&'v Json>,
}

impl<'v> Memo<'v> {
    /// The member of a property. Null is like an absent member.
    #[inline]
    pub(super) fn member(&self, data: Data<'v>, property: &'v Property) -> Option<&'v Json> {
        if let Some(found) = self.0.get()
            && std::ptr::eq(found.members, data.members)
            && std::ptr::eq(found.property, property)
        {
            return found.member;
        }
        let members = data.members;
        let member = members.get(&property.name).filter(|member| !member.is_null());
        self.0.set(Some(Found { members, property, member }));
        member
    }
}
