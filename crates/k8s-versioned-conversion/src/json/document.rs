//! Converting JSON.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::JsonError;
use super::decode::{object, of_version};
use super::list::ListDocument;
use super::type_meta::{LIST, LIST_VERSION, api_version, kind, other_kind, version};
use crate::{AnyVersion, ConversionReport, Finding, Options};

/// Converts a JSON value.
pub(crate) fn convert<A: AnyVersion>(
    value: &Value,
    to: A::Version,
    options: &Options<A::Policies>,
) -> Result<(Value, ConversionReport), JsonError> {
    let mut report = ConversionReport::new();
    let conversion = Conversion::<A> { to, options };
    let converted = conversion.document(value, &mut report)?;
    Ok((converted, options.accept(report)?))
}

struct Conversion<'a, A: AnyVersion> {
    to: A::Version,
    options: &'a Options<A::Policies>,
}

impl<A: AnyVersion> Conversion<'_, A> {
    fn document(&self, value: &Value, report: &mut ConversionReport) -> Result<Value, JsonError> {
        let members = object(value, "")?;
        if self.passes_over(members, report) {
            return Ok(value.clone());
        }
        match kind(members, "", &[A::KIND, A::LIST_KIND, LIST])? {
            kind if kind == A::KIND => {
                let version = version::<A>(members, "")?;
                self.object(of_version(version, value, "", report)?, report)
            }
            kind => self.list(&ListDocument::open(kind, members, report)?, report),
        }
    }

    /// Returns `true` for an object of another kind that stays as it is, and reports it.
    fn passes_over(&self, members: &Map<String, Value>, report: &mut ConversionReport) -> bool {
        let other = other_kind::<A>(members).filter(|_| self.options.skip_unknown);
        let Some((api_version, kind)) = other else {
            return false;
        };
        let (api_version, kind) = (api_version.to_owned(), kind.to_owned());
        report.add("kind", Finding::NotConverted { api_version, kind });
        true
    }

    fn object(&self, object: A, report: &mut ConversionReport) -> Result<Value, JsonError> {
        encode(&object.convert_to_reporting(self.to, self.options, report))
    }

    fn list(
        &self,
        list: &ListDocument<'_, A>,
        report: &mut ConversionReport,
    ) -> Result<Value, JsonError> {
        let mut items = list.each(report, |item, path, report| {
            match item.as_object().filter(|_| list.is_mixed()) {
                Some(members) if self.passes_over(members, report) => Ok(item.clone()),
                _ => self.object(list.item(item, path, report)?, report),
            }
        })?;
        let (api_version, kind) = if list.is_mixed() {
            (LIST_VERSION.to_owned(), LIST)
        } else {
            items.iter_mut().for_each(remove_type_meta);
            (api_version::<A>(self.to), A::LIST_KIND)
        };
        Ok(json!({
            "apiVersion": api_version,
            "kind": kind,
            "metadata": encode(&list.metadata)?,
            "items": items,
        }))
    }
}

fn encode(object: &impl Serialize) -> Result<Value, JsonError> {
    serde_json::to_value(object).map_err(JsonError::Syntax)
}

/// Items of a list have no `apiVersion` and `kind`, as servers write them.
fn remove_type_meta(item: &mut Value) {
    if let Some(members) = item.as_object_mut() {
        members.retain(|name, _| !["apiVersion", "kind"].contains(&name.as_str()));
    }
}
