//! Functions on URLs.

use std::rc::Rc;

use crate::eval::value::{Dictionary, Evaluated, Fault, Value};
use crate::values::url::{self, Url};

/// `url(text)`.
pub(super) fn url<'v>(text: &str) -> Evaluated<Value<'v>> {
    url::parse(text).map(|url| Value::Url(Rc::new(url))).map_err(|error| {
        Fault::error(format!("URL parse error during conversion from string: {error}"))
    })
}

/// `isURL(text)`.
pub(super) fn is_url<'v>(text: &str) -> Value<'v> {
    Value::Bool(url::parse_request(text).is_ok())
}

/// `getHost()` and so on.
pub(super) fn part<'v>(function: &str, url: &Url) -> Value<'v> {
    let (host, port) = url.host_and_port();
    match function {
        "getScheme" => Value::text(url.scheme.as_str()),
        "getHost" => Value::text(url.host.as_str()),
        "getHostname" => Value::text(host),
        "getPort" => Value::text(port),
        "getEscapedPath" => Value::text(url.escaped_path()),
        _ => query(url),
    }
}

fn query<'v>(url: &Url) -> Value<'v> {
    let texts = |values: Vec<String>| Value::list(values.into_iter().map(Value::text).collect());
    let parameters = url.parameters().into_iter();
    let entries = parameters.map(|(key, values)| (Value::text(key), texts(values)));
    Value::Map(Rc::new(Dictionary::new(entries.collect())))
}
