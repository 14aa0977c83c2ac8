//! Functions on URLs.

use std::rc::Rc;

use crate::eval::Meter;
use crate::eval::value::{Dictionary, Evaluated, Fault, Value};
use crate::values::url::{self, Url};

/// `url(text)`.
pub(super) fn url<'v>(text: &str) -> Evaluated<Value<'v>> {
    url::parse(text).map(|url| Value::Url(Rc::new(url))).map_err(|error| {
        Fault::error(format!("URL parse error during conversion from string: {error}"))
    })
}

/// `isURL(text)`. The user of a URL is read several times.
pub(super) fn is_url<'v>(text: &str, meter: &Meter) -> Evaluated<Value<'v>> {
    meter.read(text.len())?;
    Ok(Value::Bool(url::is_request(text)))
}

/// `getQuery()`. A parameter takes two steps, however short it is.
pub(super) fn query<'v>(url: &Url, meter: &Meter) -> Evaluated<Value<'v>> {
    meter.work(2 * url.count_parameters())?;
    let texts = |values: Vec<String>| Value::list(values.into_iter().map(Value::text).collect());
    let parameters = url.parameters().into_iter();
    let entries = parameters.map(|(key, values)| (Value::text(key), texts(values)));
    Ok(Value::Map(Rc::new(Dictionary::new(entries.collect()))))
}
