//! Objects in protobuf: `.pb` files, answers of API servers, and values of etcd.

use k8s_coordination::Kinds;
use k8s_coordination::protobuf::{Codec, Envelope};
use k8s_versioned::{KindEntry, Registry as _, TypeMeta};
use serde_json::Value;

/// The last bytes of every body that Go writes.
const END: &[u8] = b"\x1a\0\x22\0";

/// The object of a body, as JSON has it.
pub(super) fn decode(bytes: &[u8]) -> Result<Value, String> {
    // `etcdctl get --print-value-only` ends its output in a new line.
    let line = bytes.strip_suffix(b"\n").filter(|body| body.ends_with(END));
    let body = line.unwrap_or(bytes);
    let envelope = Envelope::read(body).map_err(|error| error.to_string())?;
    let Envelope { api_version, kind, .. } = envelope;
    let (_, codec) = known(api_version, kind)?;
    let object = codec.decode(body).map_err(|error| error.to_string())?;
    object.encode().map_err(|error| error.to_string())
}

/// The type of a body that has no kind of the group.
pub(super) fn other_type(bytes: &[u8]) -> Option<TypeMeta<'static>> {
    let Envelope { api_version, kind, .. } = Envelope::read(bytes).ok()?;
    known(api_version, kind).is_err().then(|| TypeMeta::new(api_version, kind).into_owned())
}

/// The body of an object.
pub(crate) fn encode(object: &Value) -> Result<Vec<u8>, String> {
    let text = |name| object.get(name).and_then(Value::as_str).unwrap_or_default();
    let (entry, codec) = known(text("apiVersion"), text("kind"))?;
    let object = entry.decode_value(object).map_err(|error| error.to_string())?;
    codec.encode(&*object).ok_or_else(|| "an object of another type".to_owned())
}

fn known(api_version: &str, kind: &str) -> Result<(&'static KindEntry, &'static Codec), String> {
    let entry = Kinds.kinds().iter().find(|entry| entry.reads(api_version, kind));
    let codec = entry.and_then(|entry| Some((entry, entry.protobuf()?)));
    codec
        .ok_or_else(|| format!("protobuf of an unknown kind: {}", TypeMeta::new(api_version, kind)))
}
