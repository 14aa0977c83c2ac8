//! Values of TOML for `serde`.
//!
//! The deserializer of `toml` offers each visitor every form of a value, which is about 1,000 lines of LLVM for each type and each
//! set of fields. This one only offers the form that is asked for, and leaves the rest to `toml`: mistakes have the same texts and
//! places. An array is never a struct, whose fields `toml` would take from the items in their order.

use std::convert::Infallible;
use std::fmt;
use std::ops::Range;

use serde::de::{DeserializeSeed, Expected, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserializer, forward_to_deserialize_any};
use serde_spanned::de::{SpannedDeserializer, is_spanned};
use toml::Spanned;
use toml::de::{DeTable, DeValue, Error, ValueDeserializer};

/// A mistake, and its place in the text.
#[derive(Debug)]
pub(super) struct Mistake {
    pub(super) span: Option<Range<usize>>,
    pub(super) message: String,
}

impl Mistake {
    /// In a value with this place, unless the mistake is in another value inside of it.
    fn inside(mut self, span: Range<usize>) -> Self {
        self.span.get_or_insert(span);
        self
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Mistake {}

impl serde::de::Error for Mistake {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { span: None, message: message.to_string() }
    }
}

impl From<Error> for Mistake {
    fn from(error: Error) -> Self {
        Self { span: error.span(), message: error.message().to_owned() }
    }
}

/// A value with its place.
pub(super) struct Node<'t>(Spanned<DeValue<'t>>);

impl<'t> From<Spanned<DeTable<'t>>> for Node<'t> {
    fn from(table: Spanned<DeTable<'t>>) -> Self {
        Self(Spanned::new(table.span(), DeValue::Table(table.into_inner())))
    }
}

impl Node<'_> {
    /// The mistake that the value has another form.
    fn refuse(self, expected: &dyn Expected) -> Mistake {
        match ValueDeserializer::from(self.0).deserialize_any(Refusing(expected)) {
            Ok(never) => match never {},
            Err(error) => error.into(),
        }
    }
}

/// Takes no value.
struct Refusing<'e>(&'e dyn Expected);

impl Visitor<'_> for Refusing<'_> {
    type Value = Infallible;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'t> Deserializer<'t> for Node<'t> {
    type Error = Mistake;

    fn deserialize_any<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Mistake> {
        ValueDeserializer::from(self.0).deserialize_any(visitor).map_err(Mistake::from)
    }

    fn deserialize_str<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Mistake> {
        let span = self.0.span();
        match self.0.get_ref() {
            DeValue::String(text) => visitor.visit_str(text).map_err(|it: Mistake| it.inside(span)),
            _ => Err(self.refuse(&visitor)),
        }
    }

    fn deserialize_seq<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Mistake> {
        let span = self.0.span();
        match self.0.into_inner() {
            DeValue::Array(items) => {
                visitor.visit_seq(Items(items.into_iter())).map_err(|it: Mistake| it.inside(span))
            }
            other => Err(Self(Spanned::new(span, other)).refuse(&visitor)),
        }
    }

    fn deserialize_map<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Mistake> {
        let span = self.0.span();
        match self.0.into_inner() {
            DeValue::Table(table) => visitor
                .visit_map(Members::Table { left: table.into_iter(), value: None })
                .map_err(|it: Mistake| it.inside(span)),
            other => Err(Self(Spanned::new(span, other)).refuse(&visitor)),
        }
    }

    fn deserialize_struct<V: Visitor<'t>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mistake> {
        if is_spanned(name) {
            let span = self.0.span();
            return visitor.visit_map(Members::Spanned(SpannedDeserializer::new(self, span)));
        }
        self.deserialize_map(visitor)
    }

    fn deserialize_option<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Mistake> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'t>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Mistake> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'t>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mistake> {
        let value = ValueDeserializer::from(self.0);
        value.deserialize_enum(name, variants, visitor).map_err(Mistake::from)
    }

    fn deserialize_string<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Mistake> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Mistake> {
        self.deserialize_str(visitor)
    }

    forward_to_deserialize_any! {
        <V: Visitor<'t>>
        bool u8 u16 u32 u64 i8 i16 i32 i64 u128 i128 f32 f64 char
        bytes byte_buf unit ignored_any unit_struct tuple_struct tuple
    }
}

impl<'t> IntoDeserializer<'t, Mistake> for Node<'t> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// The items of an array.
struct Items<'t>(<toml::de::DeArray<'t> as IntoIterator>::IntoIter);

impl<'t> SeqAccess<'t> for Items<'t> {
    type Error = Mistake;

    fn next_element_seed<T: DeserializeSeed<'t>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Mistake> {
        self.0.next().map(|item| seed.deserialize(Node(item))).transpose()
    }
}

/// The members of a table, or a value and its place as [`Spanned`] reads them.
enum Members<'t> {
    Table { left: <DeTable<'t> as IntoIterator>::IntoIter, value: Option<Node<'t>> },
    Spanned(SpannedDeserializer<'t, Node<'t>, Mistake>),
}

impl<'t> MapAccess<'t> for Members<'t> {
    type Error = Mistake;

    fn next_key_seed<K: DeserializeSeed<'t>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Mistake> {
        match self {
            Self::Spanned(spanned) => spanned.next_key_seed(seed),
            Self::Table { left, value } => {
                let Some((key, of_key)) = left.next() else { return Ok(None) };
                *value = Some(Node(of_key));
                let span = key.span();
                let key = Spanned::new(span.clone(), DeValue::String(key.into_inner()));
                seed.deserialize(Node(key)).map(Some).map_err(|it| it.inside(span))
            }
        }
    }

    fn next_value_seed<V: DeserializeSeed<'t>>(&mut self, seed: V) -> Result<V::Value, Mistake> {
        match self {
            Self::Spanned(spanned) => spanned.next_value_seed(seed),
            Self::Table { value, .. } => match value.take() {
                Some(value) => {
                    let span = value.0.span();
                    seed.deserialize(value).map_err(|it| it.inside(span))
                }
                None => Err(serde::de::Error::custom("a value without its key")),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use k8s_versioned_names::Release;
    use serde::Deserialize;
    use toml::Spanned;
    use toml::de::DeTable;

    use super::{Mistake, Node};

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "tests print it")]
    struct Rule {
        name: Spanned<String>,
        count: Option<u32>,
        #[serde(default)]
        words: Vec<Spanned<String>>,
        #[serde(default)]
        fields: BTreeMap<Spanned<String>, toml::Value>,
        step: Option<Step>,
        release: Option<Release>,
        #[serde(default)]
        releases: Vec<Release>,
        #[serde(default)]
        by_release: BTreeMap<Release, u32>,
        numbers: Option<OneOrMore>,
        inner: Option<Box<Rule>>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[allow(dead_code, reason = "tests print it")]
    enum Step {
        Move,
        Of(u8),
    }

    #[derive(Debug, Deserialize)]
    #[serde(untagged)]
    #[allow(dead_code, reason = "tests print it")]
    enum OneOrMore {
        One(u32),
        More(Vec<u32>),
    }

    fn read(text: &str) -> (Result<Rule, toml::de::Error>, Result<Rule, Mistake>) {
        let table = DeTable::parse(text).unwrap();
        let theirs = Rule::deserialize(toml::Deserializer::from(table.clone()));
        (theirs, Rule::deserialize(Node::from(table)))
    }

    #[test]
    fn values_are_those_of_toml() {
        let (theirs, own) = read(
            "name = \"a\"\ncount = 0x10\nwords = [\"b\", 'c']\nstep = \"move\"\n\
             release = \"v1.31\"\nreleases = [\"v1.32\"]\nnumbers = [1, 2]\n\
             [fields]\n\"d e\" = 1979-05-27\nf = [1.5, { g = true }]\n\
             [by_release]\n\"v1.33\" = 3\n[inner]\nname = \"h\"\nnumbers = 4\nstep.of = 5\n",
        );
        assert_eq!(format!("{:?}", own.unwrap()), format!("{:?}", theirs.unwrap()));
    }

    #[test]
    fn mistakes_are_those_of_toml() {
        for text in [
            "",
            "name = 1",
            "name = 1.5",
            "name = true",
            "name = []",
            "name = {}",
            "name = 1979-05-27",
            "nam = \"a\"",
            "name = \"a\"\ncount = -1",
            "name = \"a\"\ncount = \"1\"",
            "name = \"a\"\ncount = 99999999999",
            "name = \"a\"\nwords = \"b\"",
            "name = \"a\"\nwords = [\"b\", 2]",
            "name = \"a\"\nwords = { b = 1 }",
            "name = \"a\"\nfields = [\"b\"]",
            "name = \"a\"\nstep = \"mov\"",
            "name = \"a\"\nstep = 1",
            "name = \"a\"\nstep = { of = 256 }",
            "name = \"a\"\nstep = { of = 1, move = {} }",
            "name = \"a\"\nstep = { mov = 1 }",
            "name = \"a\"\nrelease = \"1.x\"",
            "name = \"a\"\nreleases = [\"v1.31\", \"1.x\"]",
            "name = \"a\"\n[by_release]\n\"1.x\" = 1",
            "name = \"a\"\n[by_release]\n\"v1.31\" = \"1\"",
            "name = \"a\"\nnumbers = \"1\"",
            "name = \"a\"\nnumbers = [1, -1]",
            "name = \"a\"\nnumbers = 18446744073709551616",
            "name = \"a\"\ncount = 0xffffffffffffffffffffffffffffffffff",
            "name = \"a\"\ncount = 1e400",
            "name = \"a\"\nwords = [[\"b\"]]",
            "name = \"a\"\nwords = [1979-05-27T07:32:00Z]",
            "name = \"a\"\ninner = {}",
            "name = \"a\"\n[inner]\nname = \"b\"\n[inner.inner]\nname = 1",
            "name = \"a\"\n[inner]\nnam = \"b\"\nrelease = \"1.x\"",
            "name = \"a\"\ninner.name = \"b\"\ninner.release = \"1.x\"",
        ] {
            let (theirs, own) = read(text);
            let (theirs, own) = (theirs.unwrap_err(), own.unwrap_err());
            assert_eq!((own.span, &*own.message), (theirs.span(), theirs.message()), "{text}");
        }
    }

    #[test]
    fn an_array_is_not_a_struct() {
        let (_, own) = read("name = \"a\"\ninner = [\"b\"]");
        let Mistake { span, message } = own.unwrap_err();
        assert_eq!(
            (span, &*message),
            (Some(19..24), "invalid type: sequence, expected struct Rule")
        );
    }
}
