//! The function of the runtime that does each step of a rule, and its arguments.

use heck::ToShoutySnakeCase;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use serde_json::Value;

use super::names::{path_lists, places};
use super::patterns;
use crate::conversion::{
    AbsentToZero, Action, Aside, Custom, Embedded, EmptyObject, FieldRef, Filled, FilledBy,
    FirstOfList, InMetadata, KeepAside, KeyedList, LeaveOutEmpty, MetadataKey, MovedObject,
    NamedValues, Narrow, Nest, NoItem, ObjectField, Optional, OptionalObject, Pairs, PartOfText,
    Paths, Pattern, RuleStep, Schema, Substitute, Text, ThirdVersion, Units, ValueForm, Varying,
    Words, Wrap, WrapForm,
};
use crate::emit::file::SourceFile;
use crate::emit::types::type_tokens;
use crate::plan::{ItemPath, RustType};

/// A call of a function of the runtime.
pub(super) struct Call<'p> {
    /// The module of the function.
    pub(super) module: &'static str,
    /// The function.
    pub(super) function: &'static str,
    /// The arguments, in the order of the function.
    pub(super) arguments: Vec<Argument<'p>>,
}

/// An argument of a function.
pub(super) enum Argument<'p> {
    /// The versions and paths under which the value is kept.
    FieldLocations,
    /// The path of a field in every version.
    Paths(&'p Paths),
    /// The paths of several fields.
    PathLists(&'p [Paths]),
    /// The path of fields that are elsewhere in another version, and the paths of several fields.
    Moved(&'p Paths, &'p [Paths]),
    /// The function that converts the object.
    Convert,
    /// The function that converts the object, or the first item of the list of objects.
    ConvertItem,
    /// The function that converts the other items of a list into the form that is kept, or from it.
    Rest,
    /// The value, moved.
    Value,
    /// The value, borrowed.
    Borrowed,
    /// A policy.
    Policy(&'p FilledBy),
    /// A function from an object to its field.
    Field(&'p ObjectField),
    /// The name of the field that has the key of an item, and the function from the item to it.
    Key(&'p ObjectField),
    /// The result of another function, perhaps borrowed.
    Inner(Call<'p>, Lent),
    /// Another field of the source, borrowed, if there is one.
    Other(Option<&'p FieldRef>),
    /// `true` or `false`.
    Flag(bool),
    /// A value as JSON.
    Json(&'p str),
    /// A list of texts.
    Names(&'p [String]),
    /// Texts of the source and of the target.
    BothNames(&'p [String], &'p [String]),
    /// Pairs of texts.
    Pairs(&'p Pairs),
    /// A value that the rule states.
    Stated(TokenStream),
    /// These fields of the source as JSON, and the type that has them.
    Members(&'p [FieldRef], &'p ItemPath),
    /// The types of an object in the source and in the target.
    Types(&'p [ItemPath; 2]),
    /// What the kept values of these versions say.
    Thirds(&'p [ThirdVersion]),
    /// The state of the conversion.
    Context,
}

/// How a function gets a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lent {
    /// Moved.
    Moved,
    /// Borrowed.
    Borrowed,
}

/// A call of a function that takes the places of the value first, and the state of the conversion last.
fn call<'p>(
    module: &'static str,
    function: &'static str,
    between: impl IntoIterator<Item = Argument<'p>>,
) -> Call<'p> {
    let arguments =
        [Argument::FieldLocations].into_iter().chain(between).chain([Argument::Context]);
    Call { module, function, arguments: arguments.collect() }
}

impl<'p> Call<'p> {
    /// The call for a step.
    pub(super) fn of(step: &'p RuleStep) -> Self {
        match &step.action {
            Action::AbsentToZero(step) => absent_to_zero(step),
            Action::Custom(step) => custom(step),
            Action::Embedded(step) => embedded(step),
            Action::FirstOfList(step) => first_of_list(step),
            Action::InMetadata(step) => in_metadata(step),
            Action::KeepAside(step) => keep_aside(step),
            Action::KeyedList(step) => keyed_list(step),
            Action::LeaveOutEmpty(step) => leave_out_empty(step),
            Action::Move(object) => moved(object),
            Action::NamedValues(step) => named_values(step),
            Action::Narrow(Narrow::Narrow(substitute)) => parse(substitute),
            Action::Narrow(Narrow::Widen(substitute)) => write(substitute),
            Action::Nest(step) => nest(step),
            Action::PartOfText(step) => part_of_text(step),
            Action::Pattern(step) => pattern(step),
            Action::Schema(step) => schema(step),
            Action::Text(step) => text(step),
            Action::Units(step) => units(step),
            Action::Varying(Varying::Fill(optional)) => filled(optional, Argument::Value),
            Action::Varying(Varying::Restore(optional)) => restored(optional, Argument::Value),
            Action::Words(step) => words(step),
            Action::Wrap(step) => wrap(step),
        }
    }

    /// The call for a step, around values that the source or the target requires, and other versions of its form do not.
    pub(super) fn around(step: &'p RuleStep) -> Self {
        let mut call = Self::of(step);
        let [source, target] = &step.optional;
        if let Some(source) = source {
            for argument in &mut call.arguments {
                let lent = match argument {
                    Argument::Value => Lent::Moved,
                    Argument::Borrowed => Lent::Borrowed,
                    _ => continue,
                };
                *argument = Argument::Inner(restored(source, Argument::Value), lent);
            }
        }
        match target {
            Some(target) => filled(target, Argument::Inner(call, Lent::Moved)),
            None => call,
        }
    }

    /// Adds arguments after the others.
    fn with(mut self, others: impl IntoIterator<Item = Argument<'p>>) -> Self {
        self.arguments.extend(others);
        self
    }
}

fn absent_to_zero(step: &AbsentToZero) -> Call<'_> {
    const MODULE: &str = "absent_to_zero";
    match step {
        AbsentToZero::Fill { form, policy, other, report } => {
            let other = Argument::Other(other.as_deref());
            by_policy(*form, (policy, report.as_ref()), [Argument::Value, other])
        }
        AbsentToZero::Restore { form, filled: true } => {
            call(MODULE, restore_stated(*form), [Argument::Value])
        }
        AbsentToZero::Restore { form, .. } => call(MODULE, restore(*form), [Argument::Value]),
        AbsentToZero::RequireTime { around } => {
            let arguments = vec![Argument::Paths(around), Argument::Value, Argument::Context];
            Call { module: MODULE, function: "required", arguments }
        }
        AbsentToZero::Keep { form, filled } => {
            let function = if *filled { "restore_stated" } else { "restore" };
            let optional = call(MODULE, function, [as_texts(*form)]);
            call("keep_aside", "keep", [Argument::Inner(optional, Lent::Borrowed)])
        }
        AbsentToZero::Make { form, policy, report } => {
            let kept = Argument::Inner(call("keep_aside", restore(*form), []), Lent::Moved);
            by_policy(*form, (policy, report.as_ref()), [kept, Argument::Other(None)])
        }
        AbsentToZero::Pass { form, around, fill } => {
            let function = match form {
                ValueForm::Plain => "pass_stated",
                ValueForm::Word | ValueForm::NullableWord => "pass_stated_text",
                ValueForm::Words => "pass_stated_texts",
            };
            let arguments = [Argument::Paths(around), Argument::Json(fill), Argument::Value];
            call(MODULE, function, arguments)
        }
        AbsentToZero::FillObject { object, may_be_empty } => {
            let function = if *may_be_empty { "fill_part_with_empty" } else { "fill_part" };
            optional_object(function, object)
        }
        AbsentToZero::KeepNull { around } => {
            let arguments = [Argument::Paths(around), Argument::Value];
            call(MODULE, "keep_null", arguments).with([Argument::Convert])
        }
        AbsentToZero::RestoreNull => {
            call(MODULE, "restore_null", [Argument::Value]).with([Argument::Convert])
        }
        AbsentToZero::RestoreObject(object) => optional_object("restore_part", object),
    }
}

/// The call that makes a value of one that can be absent, by a policy of the program or by what the rule states.
fn by_policy<'p>(
    form: ValueForm,
    (policy, report): (&'p FilledBy, Option<&'p Paths>),
    [value, other]: [Argument<'p>; 2],
) -> Call<'p> {
    let (first, function) = match policy.stated() {
        Some(stated) => (Some(Argument::Json(stated)), fill_stated(form)),
        None => (report.map(Argument::Paths), fill(form, report.is_some())),
    };
    let arguments = first.into_iter().chain([value, Argument::Policy(policy), other]);
    call("absent_to_zero", function, arguments)
}

/// The call for an object, or a list or map of objects, that can be absent in one of the versions.
fn optional_object<'p>(function: &'static str, object: &'p OptionalObject) -> Call<'p> {
    const MODULE: &str = "absent_to_zero";
    let OptionalObject { around, required, empty, .. } = object;
    let empty = Argument::Stated(empty_objects(MODULE, empty));
    let arguments = [Argument::Paths(around), Argument::Names(required), empty, Argument::Value];
    call(MODULE, function, arguments).with([Argument::Convert])
}

/// The objects of the source and of the target without values of their own, in the code: a step in this module has them.
fn empty_objects(module: &str, empty: &[EmptyObject; 2]) -> TokenStream {
    let module = format_ident!("{module}");
    let empty = empty.iter().map(|EmptyObject { values, noted }| {
        if values.is_none() && noted.is_empty() {
            return quote!(#module::EmptyPart::NOTHING);
        }
        let values = values.as_deref().unwrap_or_default();
        let noted = path_lists(noted);
        quote!(#module::EmptyPart { values: #values, noted: #noted })
    });
    quote!([#(#empty),*])
}

/// The call that makes a value of one that can be absent in other versions.
fn filled<'p>(optional: &'p Optional, value: Argument<'p>) -> Call<'p> {
    let Optional { places, around, fill, .. } = optional;
    let paths = [places, around].map(Argument::Paths).into_iter();
    let arguments = paths.chain([Argument::Json(fill), value, Argument::Context]).collect();
    Call { module: "absent_to_zero", function: "fill_absent", arguments }
}

/// The conversion back of [`filled`].
fn restored<'p>(optional: &'p Optional, value: Argument<'p>) -> Call<'p> {
    let paths = [&optional.places, &optional.around].map(Argument::Paths).into_iter();
    let arguments = paths.chain([value, Argument::Context]).collect();
    Call { module: "absent_to_zero", function: "restore_absent", arguments }
}

fn fill(form: ValueForm, reports: bool) -> &'static str {
    match (form, reports) {
        (ValueForm::Plain, false) => "fill",
        (ValueForm::Plain, true) => "fill_or_report",
        (_, false) => "fill_text",
        (_, true) => "fill_text_or_report",
    }
}

fn fill_stated(form: ValueForm) -> &'static str {
    match form {
        ValueForm::Plain => "fill_stated",
        ValueForm::Word | ValueForm::Words | ValueForm::NullableWord => "fill_stated_text",
    }
}

fn restore(form: ValueForm) -> &'static str {
    match form {
        ValueForm::Plain => "restore",
        ValueForm::Word => "restore_text",
        ValueForm::Words => "restore_texts",
        ValueForm::NullableWord => "restore_nullable_text",
    }
}

fn restore_stated(form: ValueForm) -> &'static str {
    match form {
        ValueForm::Plain => "restore_stated",
        ValueForm::Word => "restore_stated_text",
        ValueForm::Words => "restore_stated_texts",
        ValueForm::NullableWord => "restore_stated_nullable_text",
    }
}

/// A value for a target without the field: words go as their texts, since the target has no type for them.
fn as_texts<'p>(form: ValueForm) -> Argument<'p> {
    let function = match form {
        ValueForm::Plain => return Argument::Value,
        ValueForm::Word | ValueForm::NullableWord => "text",
        ValueForm::Words => "texts",
    };
    let call = Call { module: "words", function, arguments: vec![Argument::Value] };
    Argument::Inner(call, Lent::Moved)
}

fn custom(step: &Custom) -> Call<'_> {
    let Custom { keep, restore, functions: (there, back), thirds } = step;
    let (there, back) = (function_path(there), function_path(back));
    let arguments = vec![
        Argument::Paths(keep),
        Argument::Paths(restore),
        Argument::Borrowed,
        Argument::Stated(quote!((#there, #back))),
        Argument::Thirds(thirds),
        Argument::Context,
    ];
    Call { module: "custom", function: "convert", arguments }
}

/// A function by its Rust path.
fn function_path(path: &str) -> TokenStream {
    let names = path.split("::").map(|name| format_ident!("{name}"));
    quote!(#(#names)::*)
}

/// What the kept values of other versions say. The functions can be generic, so the type of each value is stated.
pub(super) fn thirds(thirds: &[ThirdVersion], file: &mut SourceFile) -> TokenStream {
    let thirds = thirds.iter().map(|third| {
        let ThirdVersion { beside_source, beside_target, functions, rust_type } = third;
        let (beside_source, beside_target) = (places(beside_source), places(beside_target));
        let [to_source, to_target, of_target] =
            functions.each_ref().map(|path| function_path(path));
        let kept = type_tokens(rust_type, &mut file.imports);
        quote!((
            &|value, context| custom::third::<#kept, _, _, _>(#beside_source, value, (#to_source, #to_target), context),
            &|result, context| custom::settle::<#kept, _, _>(#beside_target, result, #of_target, context),
        ))
    });
    quote!(&[#(#thirds),*])
}

fn embedded(step: &Embedded) -> Call<'_> {
    let Embedded { keep, restore, parts, .. } = step;
    let arguments = vec![
        Argument::Paths(keep),
        Argument::Paths(restore),
        Argument::Borrowed,
        Argument::Types(parts),
        Argument::Context,
    ];
    Call { module: "embedded", function: "convert", arguments }
}

fn first_of_list(step: &FirstOfList) -> Call<'_> {
    let call = |function, arguments: Vec<_>| call("first_of_list", function, arguments);
    let items = || [Argument::ConvertItem, Argument::Rest];
    let optional = |function, object| {
        let part = Argument::Stated(first_item(object));
        call(function, vec![part, Argument::Value]).with(items())
    };
    let value = Argument::Value;
    match step {
        FirstOfList::Words(step) => first_of_words(step),
        FirstOfList::First(NoItem::Absent) => call("first_or_none", vec![value]),
        FirstOfList::First(NoItem::Empty) => call("first", vec![value]),
        FirstOfList::First(NoItem::Reported(around)) => {
            call("first_required", vec![Argument::Paths(around), value])
        }
        FirstOfList::First(NoItem::Filled(around, fill)) => {
            call("first_filled", vec![Argument::Paths(around), Argument::Json(fill), value])
        }
        FirstOfList::List { from_optional: true, .. } => call("list_or_none", vec![value]),
        FirstOfList::List { from_optional: false, .. } => call("list", vec![value]),
        FirstOfList::ListOfRequired { around } => {
            call("list_of_required", vec![Argument::Paths(around), value])
        }
        FirstOfList::FirstObject(object) => optional("first_object", object),
        FirstOfList::FirstObjectOrNone { around } => {
            call("first_object_or_none", vec![Argument::Paths(around), value]).with(items())
        }
        FirstOfList::ListOfObject(object) => optional("list_of_object", object),
        FirstOfList::ListOfObjectOrNone => {
            call("list_of_object_or_none", vec![value]).with(items())
        }
    }
}

/// The object that is the first item, in the code.
fn first_item(OptionalObject { around, required, empty, .. }: &OptionalObject) -> TokenStream {
    let (around, empty) = (places(around), empty_objects("first_of_list", empty));
    quote!((#around, &[#(#required),*], #empty))
}

fn in_metadata(step: &InMetadata) -> Call<'_> {
    let InMetadata { key, is_written, copies, text, beside, fill, required } = step;
    let [text, beside] = [text, beside].map(|paths| places(paths));
    let key = metadata_key(key);
    let fill = fill.as_ref().map_or_else(|| quote!(None), |fill| quote!(Some(#fill)));
    let rule = quote! {
        &in_metadata::InMetadata {
            key: #key, text: #text, beside: #beside, fill: #fill, required: #required,
        }
    };
    let function = match (is_written, copies) {
        (true, false) => "write",
        (false, false) => "take",
        (true, true) => "leave",
        (false, true) => "copy",
    };
    let value = is_written.then_some(Argument::Borrowed);
    call("in_metadata", function, value.into_iter().chain([Argument::Stated(rule)]))
}

/// The call for the first of a list of words. The versions have a type of their own for them, so they go as their texts.
fn first_of_words(step: &FirstOfList) -> Call<'_> {
    static NO_NAMES: Pairs = Pairs::new();
    let by_text = |value| {
        let arguments = vec![value, Argument::Pairs(&NO_NAMES)];
        Call { module: "words", function: "convert", arguments }
    };
    let mut call = first_of_list(step);
    if let FirstOfList::First(_) = step {
        return by_text(Argument::Inner(call, Lent::Moved));
    }
    for argument in &mut call.arguments {
        if let Argument::Value = argument {
            *argument = Argument::Inner(by_text(Argument::Value), Lent::Moved);
        }
    }
    call
}

/// An annotation or label in the code.
pub(super) fn metadata_key(key: &MetadataKey) -> TokenStream {
    match key {
        MetadataKey::Annotation(key) => quote!(in_metadata::MetadataKey::Annotation(#key)),
        MetadataKey::Label(key) => quote!(in_metadata::MetadataKey::Label(#key)),
    }
}

fn keep_aside(step: &KeepAside) -> Call<'_> {
    let call = |function, arguments: Vec<_>| call("keep_aside", function, arguments);
    match step {
        KeepAside::Keep { required: true, .. } => call("keep_required", vec![Argument::Borrowed]),
        KeepAside::Keep { required: false, .. } => call("keep", vec![Argument::Borrowed]),
        KeepAside::Restore { required: true } => call("restore_required", Vec::new()),
        KeepAside::Restore { required: false } => call("restore", Vec::new()),
        KeepAside::KeepUnless(fill) => {
            call("keep_unless", vec![Argument::Borrowed, Argument::Json(fill)])
        }
        KeepAside::RestoreOr(fill) => call("restore_or", vec![Argument::Json(fill)]),
        KeepAside::KeepUnlessNamespace => call("keep_unless_namespace", vec![Argument::Borrowed]),
        KeepAside::RestoreNamespace => call("restore_namespace", Vec::new()),
    }
}

fn keyed_list(step: &KeyedList) -> Call<'_> {
    let (function, key) = match step {
        KeyedList::List { key } => ("list", key),
        KeyedList::Map { key } => ("map", key),
        KeyedList::KeepName => return call("keyed_list", "keep_name", [Argument::Borrowed]),
        KeyedList::RestoreName => return call("keyed_list", "name", []),
    };
    let arguments = [Argument::Value, Argument::Key(key)];
    call("keyed_list", function, arguments).with([Argument::ConvertItem, Argument::Rest])
}

fn leave_out_empty(step: &LeaveOutEmpty) -> Call<'_> {
    let function = if step.restores { "restore" } else { "leave_out" };
    let same = || Argument::Stated(quote!(|value, _| value));
    let convert = if step.is_part { Argument::Convert } else { same() };
    let arguments = [Argument::Paths(&step.limited), Argument::Value];
    call("leave_out_empty", function, arguments).with([convert])
}

fn named_values(step: &NamedValues) -> Call<'_> {
    let (function, list_or_map, name, value) = match step {
        NamedValues::List { name, value } => ("list", Argument::Value, name, value),
        NamedValues::Map { name, value } => ("map", Argument::Borrowed, name, value),
    };
    let arguments = [list_or_map, Argument::Field(name), Argument::Field(value)];
    call("named_values", function, arguments)
}

fn part_of_text(step: &PartOfText) -> Call<'_> {
    let PartOfText { completes, separator, last, after, others, other, keep, restore, .. } = step;
    let function = if *completes { "complete" } else { "cut" };
    let others = others.iter().map(|(part, other)| quote!((#part, #other)));
    let other = other.as_deref().unwrap_or_default();
    let part = quote! {
        &part_of_text::PartOfText {
            separator: #separator, last: #last, after: #after, others: &[#(#others),*], other: #other,
        }
    };
    let arguments = vec![
        Argument::Paths(keep),
        Argument::Paths(restore),
        Argument::Borrowed,
        Argument::Stated(part),
        Argument::Context,
    ];
    Call { module: "part_of_text", function, arguments }
}

fn pattern(step: &Pattern) -> Call<'_> {
    let rule = format_ident!("{}", patterns::constant(step));
    let (from, to) = &step.versions;
    let arguments = vec![
        Argument::Stated(quote!(&#rule)),
        Argument::Stated(quote!((#from, #to))),
        Argument::Members(step.fields(from), &step.objects.0),
        Argument::Context,
    ];
    Call { module: "pattern", function: "convert", arguments }
}

fn units(step: &Units) -> Call<'_> {
    let Units { names: (from, to), keep, restore, around, is_same, through, aside, .. } = step;
    let unit = |name: &str| {
        let name = format_ident!("{}", name.to_shouty_snake_case());
        quote!(units::#name)
    };
    let (from, to) = (unit(from), unit(to));
    let call = |function, places: Vec<_>, stated| {
        let places = places.into_iter().map(Argument::Paths);
        let arguments = places.chain([Argument::Borrowed]).chain(stated).chain([Argument::Context]);
        Call { module: "units", function, arguments: arguments.collect() }
    };
    if *is_same && aside.is_none() {
        return call("same", vec![keep, around], None);
    }
    let Some(finest) = through else {
        return call(
            "convert",
            vec![keep, restore, around],
            Some(Argument::Stated(quote!((#from, #to)))),
        );
    };
    let of = match &finest.rust_type {
        RustType::I32 => quote!(i32),
        RustType::I64 => quote!(i64),
        RustType::External(path, _) => {
            let name = format_ident!("{}", path.name);
            quote!(units::#name)
        }
        _ => quote!(String),
    };
    let finest_unit = unit(finest.unit);
    let finest_type = quote!(units::Finest::<#of>::new(#finest_unit));
    if let Some(aside) = aside {
        let (function, stated, value) = match aside {
            Aside::Keep => ("keep", quote!((#from, #finest_type)), Some(Argument::Borrowed)),
            Aside::Restore => ("restore", quote!((#finest_type, #to)), None),
        };
        if *is_same {
            let function = if *aside == Aside::Keep { "keep_same" } else { "restore_same" };
            let places = [keep, around].map(Argument::Paths).into_iter();
            let arguments = places.chain(value).chain([Argument::Context]).collect();
            return Call { module: "units", function, arguments };
        }
        let places = [keep, restore, around].map(Argument::Paths).into_iter();
        let stated = [Argument::Stated(stated), Argument::Context];
        let arguments = places.chain(value).chain(stated).collect();
        return Call { module: "units", function, arguments };
    }
    let stated = quote!((#from, #finest_type, #to));
    call("through", vec![keep, &finest.places, restore, around], Some(Argument::Stated(stated)))
}

/// The arguments of `settle`, to which the object is added.
fn moved(object: &MovedObject) -> Call<'_> {
    let MovedObject {
        around,
        moved,
        noted,
        required_in_source,
        required,
        may_be_empty,
        filled: (_, filled),
        ..
    } = object;
    let paths = [Argument::Paths(around), Argument::Moved(moved, &noted.1)];
    if let Some(Filled { fields, values, made }) = filled {
        let fields = fields.iter().map(|(name, paths)| {
            let places = places(paths);
            quote!((#name, #places))
        });
        let lacking = required.iter().filter(|name| made.get(name).is_none());
        let [values, made] = [values, made].map(Value::to_string);
        let required = quote! {
            &moved::Required {
                in_source: &[#(#required_in_source),*], in_target: &[#(#required),*], lacking: &[#(#lacking),*],
                may_be_empty: #may_be_empty, filled: &[#(#fields),*], values: #values, made: #made,
            }
        };
        let arguments = paths.into_iter().chain([Argument::Stated(required)]);
        return call("moved", "settle_filled", arguments);
    }
    let required = Argument::BothNames(required_in_source, required);
    let arguments = paths.into_iter().chain([required]);
    call("moved", if *may_be_empty { "settle_with_empty" } else { "settle" }, arguments)
}

fn nest(step: &Nest) -> Call<'_> {
    let (functions, (present, fills, required)) = match step {
        Nest::Nest { present, fills, required } => {
            (["nest", "nest_filled", "nest_required"], (present, fills, required))
        }
        Nest::Flatten { present, fills, required } => {
            (["flatten", "flatten_filled", "flatten_required"], (present, fills, required))
        }
    };
    let [plain, filled, with_required] = functions;
    let arguments = [Argument::Value, Argument::Flag(*present)];
    if !required.is_empty() {
        let fills = Argument::Json(fills.as_deref().unwrap_or("{}"));
        let required = Argument::PathLists(required);
        return call("nest", with_required, [required].into_iter().chain(arguments).chain([fills]));
    }
    let function = if fills.is_some() { filled } else { plain };
    call("nest", function, arguments.into_iter().chain(fills.as_deref().map(Argument::Json)))
}

fn schema(step: &Schema) -> Call<'_> {
    match step {
        Schema::Read { around } => {
            call("schema", "read", [Argument::Paths(around), Argument::Borrowed])
        }
        Schema::Write => call("schema", "write", [Argument::Borrowed]),
    }
}

fn text(step: &Text) -> Call<'_> {
    let time =
        |function, around| call("text", function, [Argument::Paths(around), Argument::Borrowed]);
    match step {
        Text::Parse(substitute) | Text::ParseQuantity(substitute) => parse(substitute),
        Text::ParseTime { around } => time("parse_required", around),
        Text::ParseOptionalTime { around } => time("parse_optional", around),
        Text::Write(substitute) | Text::WriteQuantity(substitute) => write(substitute),
        Text::WriteTime => call("text", "write_required", [Argument::Borrowed]),
        Text::WriteOptionalTime => call("text", "write_optional", [Argument::Borrowed]),
    }
}

/// Reads a value out of a wider one.
fn parse(substitute: &Substitute) -> Call<'_> {
    let call = |function, arguments: Vec<_>| call("text", function, arguments);
    let value = Argument::Borrowed;
    match substitute {
        Substitute::Fallback(json) => call("parse_or", vec![Argument::Json(json), value]),
        Substitute::Absent => call("parse_or_none", vec![value]),
        Substitute::Zero { report: None } => call("parse", vec![value]),
        Substitute::Zero { report: Some(around) } => {
            call("parse_or_report", vec![Argument::Paths(around), value])
        }
    }
}

/// The conversion back of [`parse`].
fn write(substitute: &Substitute) -> Call<'_> {
    let call = |function, arguments: Vec<_>| call("text", function, arguments);
    match substitute {
        Substitute::Fallback(json) => {
            call("write_or", vec![Argument::Json(json), Argument::Borrowed])
        }
        Substitute::Absent => call("write_or_none", vec![Argument::Borrowed]),
        Substitute::Zero { .. } => call("write", vec![Argument::Borrowed]),
    }
}

fn words(step: &Words) -> Call<'_> {
    let (function, arguments) = match step {
        Words::Rename { names, .. } => ("convert", vec![Argument::Value, Argument::Pairs(names)]),
        Words::FallBack { around, from, to, .. } => {
            let (from, to) = (Argument::Pairs(from), Argument::Pairs(to));
            let around = Argument::Paths(around);
            ("fall_back", vec![around, Argument::Borrowed, from, to, Argument::Context])
        }
    };
    Call { module: "words", function, arguments }
}

fn wrap(step: &Wrap) -> Call<'_> {
    let call = |function, arguments: Vec<_>| call("wrap", function, arguments);
    let wrapped = |field, required, defaults| {
        let field = Argument::Field(field);
        vec![Argument::Value, field, Argument::Names(required), Argument::Json(defaults)]
    };
    match step {
        Wrap::Wrap { field, form, required, defaults } => {
            let function = match form {
                WrapForm::Plain => "wrap",
                WrapForm::Word => "wrap_word",
                WrapForm::Optional => "wrap_optional",
            };
            call(function, wrapped(field, required, defaults))
        }
        Wrap::Unwrap { field, form, required, defaults } => {
            let function = match form {
                WrapForm::Plain => "unwrap",
                WrapForm::Word => "unwrap_word",
                WrapForm::Optional => "unwrap_optional",
            };
            call(function, wrapped(field, required, defaults))
        }
    }
}
