//! The plan of the Rust code: the items with their names, types, traits and docs. The emitter decides nothing
//! more.
//!
//! **Invariant.** What cannot be generated is a problem here. The emitter only reports its own faults (`NotRust`).

mod cycles;
mod docs;
mod field;
mod field_rules;
mod graph;
mod inline_types;
mod lifecycles;
mod names;
mod object_role;
mod open_enum;
mod operations;
mod placement;
mod planner;
mod protobuf;
mod rust_items;
mod rustdoc_text;
mod traits;
mod words;

use std::collections::BTreeSet;

pub(crate) use inline_types::unknown_names;
use litemap::LiteMap;
use planner::Planner;

use crate::Problems;
use crate::gather::Gather;
use crate::input::Feature;
use crate::input::crd::{PackageDefinition, Unserved};
use crate::model::Model;
use crate::problem::RuleCause;
use crate::rules::{Names, Rules};
use crate::spec::{Dialect, Type, TypeBody};

pub(crate) use docs::filled_in;
pub(crate) use names::kind_name;
pub(crate) use operations::apply_module;
pub(crate) use operations::{Operations, Served};
pub(crate) use protobuf::WITHOUT_NUMBER;
pub(crate) use rust_items::{
    Field, FieldForm, ItemPath, Module, Object, ObjectRole, OpenEnum, Package, Presence, RustType,
    Struct, Traits, Wrapper,
};
pub(crate) use rustdoc_text::rustdoc;
use rustdoc_text::summary;

pub(crate) use crate::text::code;

/// The Rust items of a group.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The modules that hold structs, by path.
    pub(crate) modules: Vec<Module>,
    /// The open enums, at the root.
    pub(crate) open_enums: Vec<OpenEnum>,
    /// Whether there is code for protobuf: the rules state field numbers.
    pub(crate) protobuf: bool,
    /// The operations; none if the rules ask for no verbs.
    pub(crate) operations: Operations,
    /// Whether the rules ask for verbs.
    pub(crate) has_verbs: bool,
    /// The names of the types that have none in the documents.
    pub(crate) names: Names,
    /// The parts that are features.
    pub(crate) features: BTreeSet<Feature>,
    /// The definitions of custom resources that the package has.
    pub(crate) definitions: Vec<PackageDefinition>,
    /// The versions of definitions that the package lacks, because they are not served.
    pub(crate) unserved: Vec<Unserved>,
    /// Whether the types have the descriptions of the documents.
    pub(crate) has_prose: bool,
}

impl Plan {
    /// All structs.
    pub(crate) fn structs(&self) -> impl Iterator<Item = &Struct> {
        self.modules.iter().flat_map(|module| &module.structs)
    }

    /// Returns `true` if a type has `Eq` and `Hash`.
    pub(crate) fn is_eq(&self, rust_type: &RustType) -> bool {
        let of = |path: &ItemPath| {
            let mut structs = self.structs();
            let planned = structs.find(|planned| planned.path == *path);
            planned.is_none_or(|planned| planned.traits.eq)
        };
        traits::eq(rust_type, &of)
    }

    /// What servers do with the objects of a type, if they serve it.
    pub(crate) fn served(&self, path: &ItemPath) -> Option<&Served> {
        self.operations.served.get(path)
    }

    /// The types of server-side apply.
    pub(crate) fn applied(&self) -> impl Iterator<Item = &Struct> {
        self.operations.apply.iter()
    }

    /// The apply type of a resource, if it can be applied.
    pub(crate) fn apply_type(&self, of: &ItemPath) -> Option<&ItemPath> {
        self.operations.apply_paths.get(of)
    }

    /// The definition of a kind of this package, if the package has it.
    pub(crate) fn definition(&self, planned: &Struct) -> Option<&PackageDefinition> {
        self.definitions.iter().find(|definition| defines(definition, planned))
    }

    /// Reports definitions without a kind.
    fn check_definitions(&self, problems: &mut Problems) {
        for definition in &self.definitions {
            if !self.structs().any(|planned| defines(definition, planned)) {
                let cause = RuleCause::MatchesNothing(definition.name.clone());
                problems.push(&definition.place, cause);
            }
        }
    }

    /// The number of types.
    pub(crate) fn type_count(&self) -> usize {
        self.structs().count() + self.open_enums.len()
    }

    /// The number of fields of these types.
    pub(crate) fn field_count(&self) -> usize {
        self.structs().map(|planned| planned.fields.len()).sum()
    }
}

/// Returns `true` if a definition defines a kind of this package.
fn defines(definition: &PackageDefinition, planned: &Struct) -> bool {
    let object = planned.object.as_ref().filter(|_| planned.path.package == Package::Generated);
    object.is_some_and(|object| {
        object.gvk.group == definition.group && object.gvk.kind == definition.kind
    })
}

/// Plans the Rust items of a model.
///
/// # Errors
/// Everything for which a rule is missing, rules that match nothing, change nothing or occur twice, and everything
/// that Rust cannot express.
pub(crate) fn plan(model: &Model, rules: &Rules) -> Result<Plan, Problems> {
    let (plan, problems) = plan_with_problems(model, rules);
    problems.or(plan)
}

/// The plan as far as it can be made, and the problems of [`plan`]: what has a problem is left out.
pub(crate) fn plan_with_problems(model: &Model, rules: &Rules) -> (Plan, Problems) {
    let mut problems = Problems::new();
    let mut placements = placement::place(model, rules, &mut problems);
    let (types, names) = inline_types::unite(model, &rules.names, &mut placements, &mut problems);
    let model = &model.with_types(types);
    lifecycles::check(model, rules, &mut problems);
    object_role::check_resources(model, &mut problems);
    let mut planner = Planner {
        model,
        rules,
        lists: object_role::lists(model),
        placements: &placements,
        fields: rules.fields.iter().map(|rule| (rule.field.value.as_str(), rule.empty)).gather(),
        words: open_enum::by_field(rules),
        open_enums: Vec::new(),
        names,
        problems,
    };
    let mut structs = planner.structs();
    if !cycles::break_up(&mut structs, &mut planner.problems) {
        traits::derive(&mut structs);
    }
    let stated = std::mem::take(&mut planner.open_enums);
    let open_enums = planner.plan_open_enums(stated);
    // Operations on broken types would report the same problems again.
    let operations = if planner.problems.is_empty() {
        operations::plan(model, rules, &structs, &mut planner.problems)
    } else {
        Operations::default()
    };
    operations.document(&mut structs);
    if let Some(rules) = &rules.protobuf {
        protobuf::plan(rules, &mut structs, &mut planner.problems);
    }
    let modules = planner.modules(structs);
    planner.check_field_rules();
    planner.report_unused_descriptions();
    let plan = Plan {
        modules,
        open_enums,
        protobuf: rules.protobuf.is_some(),
        operations,
        has_verbs: !rules.group.types_only,
        names: std::mem::take(&mut planner.names.chosen),
        features: features(model, rules),
        definitions: model.definitions.clone(),
        unserved: model.unserved.clone(),
        has_prose: rules.group.keeps_descriptions(),
    };
    plan.check_definitions(&mut planner.problems);
    (plan, planner.problems)
}

/// The features of the package: one group needs none for groups.
fn features(model: &Model, rules: &Rules) -> BTreeSet<Feature> {
    let mut features = rules.group.features.clone();
    if model.groups.len() < 2 {
        features.remove(&Feature::Groups);
    }
    features
}

impl Planner<'_> {
    fn structs(&mut self) -> Vec<Struct> {
        let mut structs = Vec::new();
        for (schema, ty) in &self.model.types {
            let TypeBody::Struct(_) = ty.body else {
                continue;
            };
            if let Some(path) = self.placements.generated(schema) {
                structs.push(self.plan_struct(schema, ty, path));
            }
        }
        structs
    }

    fn plan_struct(&mut self, schema: &str, ty: &Type, path: &ItemPath) -> Struct {
        let object = self.object(schema, ty);
        let mut fields = Vec::new();
        for (name, field) in object_role::rust_fields(self.model, ty) {
            fields.extend(self.plan_field(schema, path, ty, name, field));
        }
        // The order is that of servers: `metadata` first.
        let mut fields = fields.into_iter().sorted_by_key(|field: &Field| field.wire != "metadata");
        let mut chosen = BTreeSet::new();
        if ty.dialect == Dialect::Custom {
            fields.extend(ty.keeps_unknown().then(|| field::rest(ty)));
            let type_meta: &[&str] = if object.is_some() { &["api_version", "kind"] } else { &[] };
            chosen = self.names.separate(schema, &mut fields, type_meta, &mut self.problems);
        }
        for field in fields.iter_mut().filter(|field| field.presence != Presence::Rest) {
            field.docs = self.field_docs(field, chosen.contains(&field.ident), ty);
        }
        names::check_clashes(&fields, &mut self.problems);
        let description = self.describe_type(path, ty);
        let (releases, all) = (&ty.releases, &self.model.releases);
        let rule = object.as_ref();
        let rule = rule.and_then(|object| lifecycles::rule(self.rules, object, releases, all));
        let lifecycle = lifecycles::of_type(rule, releases, all);
        let lasts = rule.and(lifecycle.as_ref());
        Struct {
            path: path.clone(),
            schema: schema.to_owned(),
            schema_type: ty.clone().into(),
            summary: summary(&description),
            docs: self.type_docs(&description, ty, lasts),
            fields,
            traits: Traits::default(),
            is_message: false,
            lifecycle,
            object,
        }
    }

    /// Sorts the structs into modules. Every module needs a description.
    fn modules(&mut self, structs: Vec<Struct>) -> Vec<Module> {
        let mut modules: LiteMap<(Package, String), Vec<Struct>> = LiteMap::new();
        for planned in structs {
            modules
                .entry((planned.path.package.clone(), planned.path.module.clone()))
                .or_default()
                .push(planned);
        }
        let module = |((package, path), structs): ((Package, String), Vec<Struct>)| {
            let description = self.describe_module(&path);
            let docs = self.module_docs(&description, lifecycles::common(&structs).as_ref());
            let reexports = match package {
                Package::Shared(_) => self.placements.reexports(&path),
                Package::Generated | Package::External => Vec::new(),
            };
            Module { path, docs, structs, reexports, package }
        };
        modules.into_iter().map(module).collect()
    }
}
