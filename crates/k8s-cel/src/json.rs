//! Values as JSON.

use base64::Engine as _;
use serde_json::{Map, Number, Value as Json};

use crate::eval::value::{Entries, Evaluated, Fault, Value};
use crate::eval::{Meter, json_weight};
use crate::functions::convert::to_text;
use crate::values::text::{go_float, go_quote};

/// A value as JSON. A list that a value mentions often is written as often, so the size of what is written is metered.
pub(crate) fn to_json(value: &Value<'_>, meter: &Meter) -> Evaluated<Json> {
    meter.work(1)?;
    Ok(match value {
        Value::Null | Value::Optional(None) => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Int(value) => Json::from(*value),
        Value::Uint(value) => Json::from(*value),
        Value::Double(value) => {
            let number = Number::from_f64(*value).map(Json::Number);
            number.ok_or_else(|| Fault::not_judged(format!("{} has no JSON", go_float(*value))))?
        }
        Value::Text(text) => {
            meter.read(text.len())?;
            Json::from(&**text)
        }
        Value::Bytes(bytes) => {
            meter.read(bytes.len())?;
            Json::from(crate::formats::BASE64.encode(bytes))
        }
        Value::List(list) => {
            let items = list.iter(meter).map(|item| to_json(&item?, meter));
            Json::Array(items.collect::<Evaluated<_>>()?)
        }
        Value::Map(map) => Json::Object(members(&map.entries, meter)?),
        Value::Data(data) => {
            for (name, member) in data.members {
                meter.read(name.len())?;
                meter.work(json_weight(member))?;
            }
            Json::Object(data.members.clone())
        }
        Value::Untyped(data) => {
            meter.work(json_weight(data))?;
            (*data).clone()
        }
        Value::Optional(Some(value)) => to_json(value, meter)?,
        Value::Url(url) => Json::from(url.text()),
        Value::Format(name) => Json::from(*name),
        Value::Semver(version) => Json::from(version.to_string()),
        Value::Quantity(_) | Value::Question(_) => {
            return Err(Fault::not_judged(format!("a {} has no text here", value.type_name())));
        }
        other => Json::from(to_text(other)?),
    })
}

/// The entries of a map as members of a JSON object, whose names are texts.
fn members(entries: &Entries<'_>, meter: &Meter) -> Evaluated<Map<String, Json>> {
    let mut members = Map::new();
    for (key, value) in entries {
        let name = match to_json(key, meter)? {
            Json::String(name) => name,
            other => other.to_string(),
        };
        let value = to_json(value, meter)?;
        if members.contains_key(&name) {
            let reason = format!("two keys of a map are {} in JSON", go_quote(&name));
            return Err(Fault::not_judged(reason));
        }
        members.insert(name, value);
    }
    Ok(members)
}
