//! The macros that servers have.

use super::ast::Macro;
use crate::facts::Fact;
use crate::since::Facts;

/// What a call of a macro becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expansion {
    Visit(Macro),
    Filter,
    Optional { flat: bool },
}

/// A way to call a macro.
#[derive(Debug)]
pub(crate) struct Form {
    pub(crate) name: &'static str,
    /// How many of the arguments name an item.
    pub(crate) names: usize,
    /// The numbers of arguments.
    pub(crate) arguments: &'static [usize],
    pub(crate) expansion: Expansion,
    /// The fact that servers have it if not all do.
    since: Option<Fact>,
}

const fn form(
    name: &'static str,
    names: usize,
    arguments: &'static [usize],
    expansion: Expansion,
    since: Option<Fact>,
) -> Form {
    Form { name, names, arguments, expansion, since }
}

use Expansion::{Filter, Optional, Visit};
use Fact::{ExistsOneInCamelCase, ExtendedLists, TwoVariables};

pub(crate) const MACROS: &[Form] = &[
    form("all", 1, &[2], Visit(Macro::All), None),
    form("exists", 1, &[2], Visit(Macro::Exists), None),
    form("exists_one", 1, &[2], Visit(Macro::ExistsOne), None),
    form("existsOne", 1, &[2], Visit(Macro::ExistsOne), Some(ExistsOneInCamelCase)),
    form("map", 1, &[2, 3], Visit(Macro::List), None),
    form("filter", 1, &[2], Filter, None),
    form("optMap", 1, &[2], Optional { flat: false }, None),
    form("optFlatMap", 1, &[2], Optional { flat: true }, None),
    form("sortBy", 1, &[2], Visit(Macro::SortBy), Some(ExtendedLists)),
    form("all", 2, &[3], Visit(Macro::All), Some(TwoVariables)),
    form("exists", 2, &[3], Visit(Macro::Exists), Some(TwoVariables)),
    form("exists_one", 2, &[3], Visit(Macro::ExistsOne), Some(TwoVariables)),
    form("existsOne", 2, &[3], Visit(Macro::ExistsOne), Some(TwoVariables)),
    form("transformList", 2, &[3, 4], Visit(Macro::List), Some(TwoVariables)),
    form("transformMap", 2, &[3, 4], Visit(Macro::Map), Some(TwoVariables)),
    form("transformMapEntry", 2, &[3, 4], Visit(Macro::Entries), Some(TwoVariables)),
];

/// The macro with this name and number of arguments, if servers have it.
pub(super) fn find(name: &str, arguments: usize, facts: Facts) -> Option<&'static Form> {
    let mut forms = MACROS.iter();
    forms.find(|form| {
        form.name == name
            && form.arguments.contains(&arguments)
            && form.since.is_none_or(|fact| facts.hold(fact))
    })
}

impl Form {
    /// The error of servers for an argument that is not an identifier.
    pub(super) const fn without_name(&self) -> &'static str {
        match (&self.expansion, self.names) {
            (Expansion::Optional { flat: false }, _) => {
                "optMap() variable name must be a simple identifier"
            }
            (Expansion::Optional { flat: true }, _) => {
                "optFlatMap() variable name must be a simple identifier"
            }
            (Expansion::Filter | Expansion::Visit(Macro::List | Macro::SortBy), 1) => {
                "argument is not an identifier"
            }
            _ => "argument must be a simple name",
        }
    }
}
