//! Functions on URLs.

use crate::eval::value::{Evaluated, Fault, Value};
use crate::values::url::Url;

/// `getHost()` and so on.
pub(crate) fn method<'v>(function: &str, url: &Url) -> Evaluated<Value<'v>> {
    let (host, port) = url.host_and_port();
    Ok(match function {
        "getScheme" => Value::text(url.scheme.as_str()),
        "getHost" => Value::text(url.host.as_str()),
        "getHostname" => Value::text(host),
        "getPort" => Value::text(port),
        "getEscapedPath" => Value::text(url.escaped_path()),
        "getQuery" => query(url),
        _ => return Err(Fault::no_overload()),
    })
}

fn query<'v>(url: &Url) -> Value<'v> {
    let texts = |values: Vec<String>| Value::list(values.into_iter().map(Value::text).collect());
    let parameters = url.parameters().into_iter();
    let entries = parameters.map(|(key, values)| (Value::text(key), texts(values)));
    Value::Map(entries.collect::<Vec<_>>().into())
}
