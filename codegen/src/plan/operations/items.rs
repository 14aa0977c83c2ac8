//! What a plan of operations is made of.

use crate::model::Releases;
use crate::plan::{ItemPath, Struct};
use crate::spec::Method;

/// The operations of a group, and the types that only they use.
#[derive(Clone, Debug, Default)]
pub struct Operations {
    /// The rustdoc of the module of the parameters.
    pub docs: String,
    /// The structs that hold parameters.
    pub parameters: Vec<Struct>,
    /// The operations, by path.
    pub operations: Vec<Operation>,
    /// The structs that a server-side apply takes.
    pub apply: Vec<Struct>,
}

/// An operation.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Its id in the documents.
    pub id: String,
    /// The HTTP method.
    pub method: Method,
    /// The path, with `{name}` for its parameters.
    pub path: String,
    /// The names of these parameters.
    pub names: Vec<String>,
    /// The struct of the parameters in the query; none if there are no such parameters.
    pub parameters: Option<ItemPath>,
    /// The status codes of the documented responses.
    pub responses: Vec<u16>,
    /// The releases that serve it.
    pub releases: Releases,
    /// Where its functions go.
    pub owner: Owner,
    /// What is sent and answered, and the functions that do so.
    pub form: Form,
}

/// Where the functions of an operation go.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// To the type of a resource.
    Type(ItemPath),
    /// Into a module, which may be the root.
    Module(String),
}

/// What is sent and answered, and the functions that do so.
#[derive(Clone, Debug)]
pub enum Form {
    /// Nothing is sent.
    Read {
        /// The function.
        function: Function,
        /// The type of the answer.
        answer: ItemPath,
    },
    /// Nothing is sent; the answer is a list, or the events of its items.
    List {
        /// The function for the list.
        list: Function,
        /// The function for the events.
        watch: Function,
        /// The type of the list.
        answer: ItemPath,
        /// The type of its items.
        item: ItemPath,
    },
    /// The answer is events alone.
    Watch {
        /// The function.
        function: Function,
        /// The type of the objects.
        item: ItemPath,
    },
    /// An object is sent.
    Write {
        /// The function.
        function: Function,
        /// The type of the object.
        object: ItemPath,
        /// The type of the answer.
        answer: ItemPath,
    },
    /// A patch is sent.
    Patch {
        /// The function for any patch.
        patch: Function,
        /// The function for an apply and the type that it takes.
        apply: Option<(Function, ItemPath)>,
        /// The type of the answer.
        answer: ItemPath,
    },
    /// Options can be sent.
    Delete {
        /// The function.
        function: Function,
        /// The options, if there are any.
        options: Option<DeletionOptions>,
        /// What is answered.
        answer: DeletionAnswer,
    },
}

/// The options of a deletion.
#[derive(Clone, Debug)]
pub struct DeletionOptions {
    /// Their type.
    pub path: ItemPath,
    /// Their fields that are parameters in the query, too: servers that get options ignore those.
    pub ignored: Vec<String>,
}

/// What is answered to a deletion.
#[derive(Clone, Debug)]
pub enum DeletionAnswer {
    /// What was deleted, as the documents state.
    Object(ItemPath),
    /// By the documents only that it is done; servers also send what was deleted.
    Either {
        /// The type of what is deleted.
        object: ItemPath,
        /// The type that says that it is done.
        status: ItemPath,
    },
}

impl Form {
    /// The functions.
    pub fn functions(&self) -> Vec<&Function> {
        match self {
            Self::Read { function, .. }
            | Self::Watch { function, .. }
            | Self::Write { function, .. }
            | Self::Delete { function, .. } => vec![function],
            Self::List { list, watch, .. } => vec![list, watch],
            Self::Patch { patch, apply, .. } => {
                let apply = apply.iter().map(|(function, _)| function);
                std::iter::once(patch).chain(apply).collect()
            }
        }
    }
}

/// A function that builds a request.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its rustdoc.
    pub docs: String,
    /// What to use instead, if it is deprecated.
    pub deprecated: Option<String>,
}
