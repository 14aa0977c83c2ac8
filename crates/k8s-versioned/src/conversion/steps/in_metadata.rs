//! A field in some versions, in others an annotation or a label of the object.
//!
//! Both can be there in a version that has the field: then the annotation is a text of its own, which the other version does not show, or,
//! by a rule that copies, the text of which the field is made.

use serde_json::Value;

use super::{Context, FieldLocations, FieldValue};
use crate::conversion::ConversionFinding;
use crate::conversion::context::json;
use crate::wire::{is_zero, value_of};

pub use crate::conversion::metadata_texts::MetadataKey;

/// What the rule says.
#[derive(Clone, Copy, Debug)]
pub struct InMetadata {
    /// The annotation or label.
    pub key: MetadataKey,
    /// Its place in the versions that lack the field, for a text that its value does not restore.
    pub text: FieldLocations,
    /// Its place in the versions that have the field, for a text that is not a value of the field, or has another value.
    pub beside: FieldLocations,
    /// The value of the field without the annotation, as JSON.
    pub fill: Option<&'static str>,
    /// Whether the field is required, and has no such value.
    pub required: bool,
}

impl InMetadata {
    /// The value without the annotation.
    fn absent<T: FieldValue>(&self) -> T {
        self.fill.map_or_else(T::zero_value, value_of)
    }

    /// The value of a text, or the one without the annotation.
    fn value<T: FieldValue>(&self, text: Option<&str>) -> T {
        text.and_then(of_text).unwrap_or_else(|| self.absent())
    }

    /// The text of a value; `None` for the value that the field has without the annotation.
    fn text<T: FieldValue>(&self, value: &T) -> Option<String> {
        let is_absent = self.fill.is_some() && *value == self.absent();
        if is_absent { None } else { text_of(value) }
    }
}

/// The text of a value: JSON, but for a text itself.
fn text_of<T: FieldValue>(value: &T) -> Option<String> {
    match json(value) {
        Value::Null => None,
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    }
}

/// The value of a text.
fn of_text<T: FieldValue>(text: &str) -> Option<T> {
    let value = T::deserialize(Value::from(text)).ok();
    let other = || serde_json::from_str::<Value>(text).ok().filter(|value| !value.is_null());
    value.or_else(|| T::deserialize(other()?).ok())
}

/// Makes the annotation of a field that the target lacks. A value without a text that servers take is kept, and so is the annotation that
/// the source has itself.
pub fn write<T: FieldValue, P>(
    places: FieldLocations,
    value: &T,
    rule: &InMetadata,
    context: &mut Context<'_, P>,
) {
    let beside = context.metadata.as_mut().and_then(|texts| texts.remove(rule.key));
    context.reduce(rule.beside, &beside, beside.is_none());
    let is_made_up = rule.required && context.is_made_up(places, value, is_zero(value));
    let back = if is_made_up { None } else { rule.text(value) };
    let text = match context.take_kept::<Option<String>>(rule.text) {
        Some(kept) => {
            let unedited = rule.value::<T>(kept.as_deref()) == *value;
            context.restore(rule.text, kept, unedited, back, json(value))
        }
        None => back,
    };
    let taken = context.metadata.as_ref().zip(text.as_deref());
    let taken = taken.is_some_and(|(texts, text)| texts.takes(rule.key, text));
    let is_absent = text.is_none() && (is_made_up || !rule.required);
    let comes_back = (taken || is_absent) && rule.value::<T>(text.as_deref()) == *value;
    if let (Some(texts), Some(text), true) = (&mut context.metadata, text, taken) {
        texts.set(rule.key, text);
    }
    context.reduce(places, value, comes_back);
    if is_absent && comes_back && rule.fill.is_some() {
        context.report_source(places, ConversionFinding::Implied { value: json(value) });
    }
}

/// The value of a field that the source lacks: that of the annotation. A text that its value does not restore is kept.
pub fn take<T: FieldValue, P>(
    places: FieldLocations,
    rule: &InMetadata,
    context: &mut Context<'_, P>,
) -> T {
    let text = context.metadata.as_mut().and_then(|texts| texts.remove(rule.key));
    restore_beside(rule, context);
    let kept = context.take(places);
    let kept = kept.and_then(|kept| kept.null().or_else(|| kept.value::<T>(context.report)));
    let found = text.as_deref().and_then(of_text);
    let is_known = found.is_some() || kept.is_some();
    let back = found.unwrap_or_else(|| rule.absent());
    let value = match kept {
        Some(kept) => {
            let unedited = text.is_none() || text_of(&kept) == text;
            context.restore(places, kept, unedited, back, json(&text))
        }
        None => back,
    };
    if !is_known && rule.fill.is_some() {
        context.report_target(places, ConversionFinding::Filled { value: json(&value) });
    } else if !is_known && rule.required {
        context.report_target(places, ConversionFinding::InvalidInTarget);
        if text.is_none() {
            context.make_up(places, &value);
        }
    }
    let comes_back = text.is_none() || rule.text(&value) == text;
    context.reduce(rule.text, &text, comes_back);
    value
}

/// Drops a field that the target lacks, and that is made of an annotation or label of both versions. A value that this does not give is
/// kept, and the text beside it: where another one is there since, the value is stale.
pub fn leave<T: FieldValue, P>(
    places: FieldLocations,
    value: &T,
    rule: &InMetadata,
    context: &mut Context<'_, P>,
) {
    let text = copied(rule, context);
    let is_made_up = rule.required && context.is_made_up(places, value, is_zero(value));
    let copy = text.as_deref().and_then(of_text::<T>);
    let is_absent = copy.is_none() && !rule.required && *value == rule.absent();
    let comes_back = is_absent || is_made_up || copy.as_ref() == Some(value);
    context.reduce(places, value, comes_back);
    context.reduce(rule.beside, &text, comes_back || text.is_none());
    if is_absent && rule.fill.is_some() {
        context.report_source(places, ConversionFinding::Implied { value: json(value) });
    }
}

/// The conversion back of [`leave`]: the field has the value of the annotation or label, unless another value of this text is kept.
pub fn copy<T: FieldValue, P>(
    places: FieldLocations,
    rule: &InMetadata,
    context: &mut Context<'_, P>,
) -> T {
    let text = copied(rule, context);
    let beside = context.take_kept::<String>(rule.beside);
    let kept = context.take(places);
    let kept = kept.and_then(|kept| kept.null().or_else(|| kept.value::<T>(context.report)));
    let found = text.as_deref().and_then(of_text);
    let is_known = found.is_some() || kept.is_some();
    let back = found.unwrap_or_else(|| rule.absent());
    let value = if let Some(kept) = kept {
        context.restore(places, kept, beside == text, back, json(&text))
    } else {
        if let Some(beside) = beside {
            let value = json(&beside);
            context.report_target(rule.beside, ConversionFinding::Redundant { value });
        }
        back
    };
    if !is_known && rule.fill.is_some() {
        context.report_target(places, ConversionFinding::Filled { value: json(&value) });
    } else if !is_known && rule.required {
        context.report_target(places, ConversionFinding::InvalidInTarget);
        context.make_up(places, &value);
    }
    value
}

/// The text of the annotation or label, which stays.
fn copied<P>(rule: &InMetadata, context: &Context<'_, P>) -> Option<String> {
    Some(context.metadata.as_ref()?.get(rule.key)?.to_owned())
}

/// Gives a version that has the field the annotation that it had besides.
fn restore_beside<P>(rule: &InMetadata, context: &mut Context<'_, P>) {
    if let Some(text) = context.take_kept::<String>(rule.beside) {
        context.report_target(rule.beside, ConversionFinding::Restored { value: json(&text) });
        if let Some(texts) = &mut context.metadata {
            texts.set(rule.key, text);
        }
    }
}
