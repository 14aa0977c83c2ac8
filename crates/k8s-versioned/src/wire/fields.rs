//! The fields of generated structs, read and written by one visitor for all of them.
//!
//! `serde_derive` would make a visitor for each struct: most of the time of a build, and a copy of each struct that is read.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Deserializer, Serialize, Serializer};

use super::ZeroValue;
use super::field_names::FieldsRead;
use super::reader::Reader;
use super::writer::{Count, MapWriter, StructWriter, TYPE_META, Untyped, WithMetadata, Writer};
use crate::Json;

/// A struct with named fields. [`fields!`](crate::fields) implements it.
pub trait Fields: ZeroValue + Sized {
    /// The name of the struct.
    const NAME: &'static str;

    /// What an error says instead of "struct" and the name.
    const EXPECTED: Option<&'static str> = None;

    /// The names of the fields in JSON.
    const FIELDS: &'static [&'static str];

    /// The value that is read from `{}`: absent fields have zero values, or the defaults that the schema states for
    /// required fields.
    fn with_defaults() -> Self {
        Self::zero_value()
    }

    /// Reads the value of a field, by its index in [`FIELDS`](Self::FIELDS). Any other index is an unknown field.
    ///
    /// # Errors
    ///
    /// Errors of the deserializer.
    fn read_field<'de, R: Reader<'de>>(
        &mut self,
        field: usize,
        from: &mut R,
    ) -> Result<(), R::Error>;

    /// Writes the fields.
    ///
    /// # Errors
    ///
    /// Errors of the serializer.
    fn write_fields<W: Writer>(&self, to: &mut W) -> Result<(), W::Error>;

    /// Where unknown members are kept; `None` if they are ignored.
    fn rest(&mut self) -> Option<&mut BTreeMap<String, Json>> {
        None
    }

    /// The unknown members that are kept.
    fn others(&self) -> Option<&BTreeMap<String, Json>> {
        None
    }
}

/// Implements [`Fields`](crate::wire::Fields), `Serialize` and `Deserialize` for a struct.
///
/// There is a line for each field: its index, its name in JSON, its name in Rust, how it is read (a function of
/// [`Reader`](crate::wire::Reader)), and how it is written (a function of [`Writer`](crate::wire::Writer)).
///
/// ```
/// #[derive(Debug, Default, PartialEq)]
/// struct Spec {
///     name: String,
///     finalizers: Vec<String>,
/// }
///
/// k8s_versioned::fields!(Spec {
///     0 "name" => name: value, value;
///     1 "finalizers" => finalizers: list, unless_zero;
/// });
///
/// let spec: Spec = serde_json::from_str(r#"{"name": null, "finalizers": ["a", null]}"#)?;
/// assert_eq!(spec, Spec { name: String::new(), finalizers: vec!["a".to_owned(), String::new()] });
/// assert_eq!(serde_json::to_string(&Spec::default())?, r#"{"name":""}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// - ` = "a".into()` before the end of a line states the value of an absent or `null` field.
/// - `Spec: ZeroValue` implements [`ZeroValue`](crate::wire::ZeroValue), too, for a struct without a `Default`.
/// - `Spec, "an object"` says what an error expected instead of `struct Spec`.
/// - A last line `.. rest;` names the field that keeps unknown members.
#[macro_export]
macro_rules! fields {
    ($name:ident $(: $zero:ident)? $(, $expected:literal)? {
        $($index:literal $wire:literal => $field:ident:
            $read:ident $(($shape:expr))?, $write:ident $(= $default:expr)?;)*
        $(.. $rest:ident;)?
    }) => {
        impl $crate::wire::Fields for $name {
            const NAME: &'static str = ::core::stringify!($name);
            $(const EXPECTED: ::core::option::Option<&'static str> =
                ::core::option::Option::Some($expected);)?
            const FIELDS: &'static [&'static str] = &[$($wire),*];

            $crate::fields!(@defaults $($($field = $default;)?)*);

            fn read_field<'de, R: $crate::wire::Reader<'de>>(
                &mut self,
                field: usize,
                from: &mut R,
            ) -> ::core::result::Result<(), R::Error> {
                match field {
                    $($index => from.$read(&mut self.$field $(, $shape)?),)*
                    _ => from.skip(),
                }
            }

            fn write_fields<W: $crate::wire::Writer>(
                &self,
                to: &mut W,
            ) -> ::core::result::Result<(), W::Error> {
                $(to.$write($wire, &self.$field)?;)*
                let _ = to;
                Ok(())
            }

            $(fn rest(
                &mut self,
            ) -> ::core::option::Option<
                &mut ::std::collections::BTreeMap<::std::string::String, $crate::Json>,
            > {
                ::core::option::Option::Some(&mut self.$rest)
            }

            fn others(
                &self,
            ) -> ::core::option::Option<
                &::std::collections::BTreeMap<::std::string::String, $crate::Json>,
            > {
                ::core::option::Option::Some(&self.$rest)
            })?
        }

        $crate::fields!(@zero [$($zero)?] $name { $($field,)* $($rest,)? });
        $crate::fields!(@serde $name [$($rest)?]);
    };
    (@defaults) => {};
    (@defaults $($field:ident = $default:expr;)+) => {
        fn with_defaults() -> Self {
            let mut value = <Self as $crate::wire::ZeroValue>::zero_value();
            $(value.$field = $default;)+
            value
        }
    };
    (@zero [] $name:ident $fields:tt) => {};
    (@zero [ZeroValue] $name:ident { $($field:ident,)* }) => {
        impl $crate::wire::ZeroValue for $name {
            fn zero_value() -> Self {
                Self { $($field: $crate::wire::zero(),)* }
            }
        }
    };
    (@serde $name:ident []) => {
        $crate::fields!(@serde $name write(self));
    };
    (@serde $name:ident [$rest:ident]) => {
        $crate::fields!(@serde $name write_with_rest(self, &self.$rest));
    };
    (@serde $name:ident $write:ident($self:ident $(, $rest:expr)?)) => {
        impl $crate::wire::serde::Serialize for $name {
            fn serialize<S: $crate::wire::serde::Serializer>(
                &$self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::wire::$write($self, $($rest,)? serializer)
            }
        }

        impl<'de> $crate::wire::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::wire::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::wire::read(deserializer)
            }

            fn deserialize_in_place<D: $crate::wire::serde::Deserializer<'de>>(
                deserializer: D,
                place: &mut Self,
            ) -> ::core::result::Result<(), D::Error> {
                $crate::wire::read_in_place(deserializer, place)
            }
        }
    };
}

/// Reads a struct.
///
/// # Errors
///
/// Errors of the deserializer; a field that is there twice.
pub fn read<'de, T: Fields, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let mut value = T::with_defaults();
    deserializer.deserialize_struct(T::NAME, T::FIELDS, Object(&mut value))?;
    Ok(value)
}

/// Reads a struct into a place, whose old value is lost.
///
/// # Errors
///
/// Errors of the deserializer; a field that is there twice.
pub fn read_in_place<'de, T: Fields, D: Deserializer<'de>>(
    deserializer: D,
    place: &mut T,
) -> Result<(), D::Error> {
    *place = T::with_defaults();
    deserializer.deserialize_struct(T::NAME, T::FIELDS, Object(place))
}

/// Writes a struct.
///
/// # Errors
///
/// Errors of the serializer.
pub fn write<T: Fields, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    let mut to = StructWriter(serializer.serialize_struct(T::NAME, count(value))?);
    value.write_fields(&mut to)?;
    to.0.end()
}

/// Writes a struct and the members that are not fields. A member with the name of a field is left out: no name is there twice.
///
/// # Errors
///
/// Errors of the serializer.
pub fn write_with_rest<T: Fields, S: Serializer>(
    value: &T,
    rest: &BTreeMap<String, Json>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let length = count(value) + others::<T>(rest).count();
    let mut to = MapWriter(serializer.serialize_map(Some(length))?);
    value.write_fields(&mut to)?;
    others::<T>(rest).try_for_each(|(name, value)| to.0.serialize_entry(name, value))?;
    to.0.end()
}

/// The members without the name of a field.
fn others<T: Fields>(rest: &BTreeMap<String, Json>) -> impl Iterator<Item = (&String, &Json)> {
    rest.iter().filter(|(name, _)| !T::FIELDS.contains(&name.as_str()))
}

/// Writes an object with this metadata instead of its own.
///
/// # Errors
///
/// Errors of the serializer.
pub fn write_with_metadata<T: Fields, S: Serializer>(
    value: &T,
    metadata: &(impl Serialize + ?Sized),
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let Some(rest) = value.others() else {
        let to = StructWriter(serializer.serialize_struct(T::NAME, count(value))?);
        let mut to = WithMetadata(to, metadata);
        value.write_fields(&mut to)?;
        return to.0.0.end();
    };
    let length = count(value) + others::<T>(rest).count();
    let mut to = WithMetadata(MapWriter(serializer.serialize_map(Some(length))?), metadata);
    value.write_fields(&mut to)?;
    others::<T>(rest).try_for_each(|(name, value)| to.0.0.serialize_entry(name, value))?;
    to.0.0.end()
}

/// Writes an object without `apiVersion` and `kind`. It has no further members: only custom resources do, which keep both.
pub(crate) fn write_untyped<T: Fields, S: Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let fields = count(value).saturating_sub(TYPE_META.len());
    let mut to = Untyped(StructWriter(serializer.serialize_struct(T::NAME, fields)?));
    value.write_fields(&mut to)?;
    to.0.0.end()
}

/// The number of fields that are written.
fn count<T: Fields>(value: &T) -> usize {
    let mut count = Count(0);
    let Ok(()) = value.write_fields(&mut count);
    count.0
}

/// Reads an object into a struct, which has the value of an object without fields.
struct Object<'a, T>(&'a mut T);

impl<'de, T: Fields> Visitor<'de> for Object<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        expecting(f, T::EXPECTED, T::NAME)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut read = FieldsRead::default();
        loop {
            let keeps = self.0.rest().is_some();
            let Some(field) = map.next_key_seed(read.name(T::FIELDS, keeps))? else {
                return Ok(());
            };
            match self.0.rest() {
                Some(rest) if field == T::FIELDS.len() => read.keep(&mut map, rest)?,
                _ => {
                    read.once(field, T::FIELDS)?;
                    self.0.read_field(field, &mut map)?;
                }
            }
        }
    }
}

/// What a struct is read from. All structs share the code.
fn expecting(f: &mut fmt::Formatter<'_>, expected: Option<&str>, name: &str) -> fmt::Result {
    match expected {
        Some(expected) => f.write_str(expected),
        None => write!(f, "struct {name}"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value, json};

    use crate::{Json, from_json, wire};

    /// A struct that keeps unknown members.
    #[derive(Clone, Debug, Default, PartialEq)]
    struct Open {
        name: String,
        inside: Option<Box<Open>>,
        #[allow(clippy::option_option, reason = "null is not absent")]
        deep: Option<Option<i32>>,
        parts: Vec<Open>,
        any: Option<Json>,
        rest: BTreeMap<String, Json>,
    }

    crate::fields!(Open {
        0 "name" => name: value, unless_zero;
        1 "inside" => inside: option, option;
        2 "deep" => deep: nullable, option;
        3 "parts" => parts: list, or_null;
        4 "any" => any: any, option;
        .. rest;
    });

    /// More fields than a `u64` has bits.
    const MANY: usize = 200;

    /// The names `*`, `**` and so on.
    static NAMES: [&str; MANY] = {
        let mut names = [TEXT; MANY];
        let mut at = 0;
        while at < MANY {
            names[at] = TEXT.split_at(at + 1).0;
            at += 1;
        }
        names
    };

    const TEXT: &str = match str::from_utf8(&[b'*'; MANY]) {
        Ok(text) => text,
        Err(_) => "",
    };

    #[derive(Default)]
    struct Many(Vec<i32>);

    impl wire::Fields for Many {
        const NAME: &'static str = "Many";
        const FIELDS: &'static [&'static str] = &NAMES;

        fn read_field<'de, R: wire::Reader<'de>>(
            &mut self,
            field: usize,
            from: &mut R,
        ) -> Result<(), R::Error> {
            self.0.resize(MANY, 0);
            match self.0.get_mut(field) {
                Some(place) => from.value(place),
                None => from.skip(),
            }
        }

        fn write_fields<W: wire::Writer>(&self, _: &mut W) -> Result<(), W::Error> {
            Ok(())
        }
    }

    crate::fields!(@serde Many []);

    #[test]
    fn what_came_is_written() {
        let table = [
            json!({"parts": null}),
            json!({"parts": null, "any": null}),
            json!({"parts": null, "any": [null]}),
            json!({"name": "a", "deep": null, "inside": {"name": "b", "parts": null}, "parts": [{"parts": null}]}),
            json!({"deep": 1, "other": {"a": [1, null]}, "more": null, "parts": null}),
        ];
        for value in table {
            let open: Open = serde_json::from_value(value.clone()).unwrap();
            assert_eq!(serde_json::to_value(&open).unwrap(), value);
            let text: Value = serde_json::from_str(&serde_json::to_string(&open).unwrap()).unwrap();
            assert_eq!(text, value);
            assert_eq!(cbor4ii_again(&open), open);
        }
    }

    /// As servers fill in defaults: what is there replaces a default, also an empty value.
    #[test]
    fn absent_fields_have_their_defaults() {
        #[derive(Clone, Debug, Default, PartialEq)]
        struct Spec {
            policy: String,
            items: Vec<String>,
            labels: BTreeMap<String, i64>,
            part: Part,
            rest: BTreeMap<String, Json>,
        }
        #[derive(Clone, Debug, Default, PartialEq)]
        struct Part {
            size: i64,
        }
        crate::fields!(Part {
            0 "size" => size: stored(wire::Integer), value = 3;
        });
        crate::fields!(Spec {
            0 "policy" => policy: value, value = "Always".into();
            1 "items" => items: list, value = wire::value_of(r#"["a"]"#);
            2 "labels" => labels: stored(wire::MapOf(wire::Integer)), value = wire::value_of(r#"{"a":1}"#);
            3 "part" => part: value, value = wire::Fields::with_defaults();
            .. rest;
        });
        let filled =
            json!({"policy": "Always", "items": ["a"], "labels": {"a": 1}, "part": {"size": 3}});
        let other = json!({"policy": "", "items": [], "labels": {}, "part": {"size": 0}});
        let more =
            json!({"policy": "Never", "items": ["b"], "labels": {"b": 2}, "part": {"size": 4}});
        let table = [
            (json!({}), &filled),
            (json!({"policy": null, "items": null, "labels": null, "part": null}), &filled),
            (json!({"policy": "Always", "part": {}}), &filled),
            (other.clone(), &other),
            (more.clone(), &more),
        ];
        for (value, expected) in table {
            let spec: Spec = from_json(value.to_string().as_bytes()).unwrap();
            assert_eq!(serde_json::to_value(&spec).unwrap(), *expected, "{value}");
        }
        assert_eq!(Spec::default().policy, "");
    }

    #[test]
    fn no_name_is_written_twice() {
        let other = |name: &str| (name.to_owned(), Json::default());
        let rest = BTreeMap::from([other("name"), other("deep"), other("more")]);
        let open = Open { name: "a".to_owned(), rest, ..Open::default() };
        let text = serde_json::to_string(&open).unwrap();
        assert_eq!(text, r#"{"name":"a","parts":null,"more":null}"#);
        let rest = BTreeMap::from([other("more")]);
        assert_eq!(cbor4ii_again(&open), Open { rest, ..open });
    }

    /// A member that is not known stays, unless it has the name of a field.
    #[test]
    fn other_metadata_is_written_instead() {
        #[derive(Debug, Default, PartialEq)]
        struct Kind {
            metadata: i32,
            spec: i32,
            rest: BTreeMap<String, Json>,
        }
        crate::fields!(Kind {
            0 "metadata" => metadata: value, value;
            1 "spec" => spec: value, value;
            .. rest;
        });
        struct Other<'k>(&'k Kind);
        impl serde::Serialize for Other<'_> {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                wire::write_with_metadata(self.0, "other", serializer)
            }
        }
        let other = |name: &str| (name.to_owned(), Json::default());
        let rest = BTreeMap::from([other("more"), other("metadata")]);
        let text = serde_json::to_string(&Other(&Kind { rest, ..Kind::default() })).unwrap();
        assert_eq!(text, r#"{"metadata":"other","spec":0,"more":null}"#);
    }

    /// CBOR writes the number of members before them.
    fn cbor4ii_again(open: &Open) -> Open {
        let bytes = cbor4ii::serde::to_vec(Vec::new(), open).unwrap();
        cbor4ii::serde::from_slice(&bytes).unwrap()
    }

    #[test]
    fn null_is_the_zero_value_but_in_a_nullable_field() {
        let text = r#"{"name": null, "inside": null, "deep": null, "parts": [null]}"#;
        let open: Open = serde_json::from_str(text).unwrap();
        let parts = vec![Open::default()];
        assert_eq!(open, Open { deep: Some(None), parts, ..Open::default() });
    }

    #[test]
    fn a_value_that_is_read_in_place_loses_what_was_there() {
        let mut open = Open { name: "a".to_owned(), ..Open::default() };
        let mut text = serde_json::Deserializer::from_str(r#"{"deep": 1}"#);
        serde::Deserialize::deserialize_in_place(&mut text, &mut open).unwrap();
        assert_eq!(open, Open { deep: Some(Some(1)), ..Open::default() });
    }

    #[test]
    fn errors() {
        let table = [
            (r#"{"name": "a", "name": "b"}"#, "duplicate field `name` at line 1 column 20"),
            (r#"{"x": 1, "x": 2}"#, "duplicate field `x` at line 1 column 12"),
            (r#"{"name": 1}"#, "invalid type: integer `1`, expected a string at line 1 column 10"),
            ("[]", "invalid type: sequence, expected struct Open at line 1 column 0"),
            ("1", "invalid type: integer `1`, expected struct Open at line 1 column 1"),
        ];
        for (text, expected) in table {
            assert_eq!(from_json::<Open>(text.as_bytes()).unwrap_err().to_string(), expected);
        }
        assert!(serde_json::from_str::<Open>(r#"["a"]"#).is_err());
    }

    #[test]
    fn many_fields_in_any_order() {
        let text = |fields: &[usize]| {
            let fields = fields.iter().map(|at| format!("\"{}\": {at}", "*".repeat(at + 1)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        };
        let many: Many = serde_json::from_str(&text(&[199, 1000, 63, 64, 3])).unwrap();
        assert_eq!([199, 63, 64, 3, 0].map(|at| many.0[at]), [199, 63, 64, 3, 0]);
        for again in [0, 63, 64, 199] {
            let error = serde_json::from_str::<Many>(&text(&[again, 50, again])).map(drop);
            let error = error.unwrap_err().to_string();
            assert!(error.starts_with("duplicate field `*"), "{error}");
        }
    }
}
