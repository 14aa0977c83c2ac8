//! Numbers in the forms in which `serde_json` passes them.

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserialize, MapAccess, Unexpected, Visitor};
use serde_json::Number;

/// Visits the number that `serde_json` passes as a map where another crate switches its feature `arbitrary_precision` on.
pub(crate) fn visit_number<'de, A: MapAccess<'de>, V: Visitor<'de>>(
    map: A,
    visitor: V,
) -> Result<V::Value, A::Error> {
    let number = Number::deserialize(MapAccessDeserializer::new(map)).ok();
    match number.map(|number| (number.as_i64(), number.as_u64(), number.as_f64())) {
        Some((Some(number), ..)) => visitor.visit_i64(number),
        Some((_, Some(number), _)) => visitor.visit_u64(number),
        Some((.., Some(number))) => visitor.visit_f64(number),
        _ => Err(de::Error::invalid_type(Unexpected::Map, &visitor)),
    }
}

/// `serde_json` reads `-0` as this.
pub(crate) fn is_minus_zero(number: f64) -> bool {
    number == 0.0 && number.is_sign_negative()
}
