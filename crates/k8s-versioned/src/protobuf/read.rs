//! How generated code reads a field: a function for each way in which a Go type holds values.

use std::collections::BTreeMap;

use super::field::Fields;
use super::{Error, Field, Value, WireType};
use crate::wire::{ZeroValue, is_zero};

/// The number of items of a list that are counted before the first is read.
const COUNTED: usize = 256;

/// The least number of bytes of an item: its tag, and a length or a number.
const LEAST: usize = 2;

/// Functions that are not inlined leave only jumps to a message. Hot path, row `decode as protobuf` of the benches.
impl Field<'_, '_> {
    /// Reads a value.
    ///
    /// # Errors
    ///
    /// The value is not a `T`.
    #[inline]
    pub fn value<T: Value>(self, into: &mut T) -> Result<(), Error> {
        into.merge(self)
    }

    /// Reads what is a pointer in Go: an empty or zero value is a value.
    ///
    /// # Errors
    ///
    /// The value is not a `T`.
    #[inline(never)]
    pub fn pointer<T: Value + ZeroValue>(self, into: &mut Option<T>) -> Result<(), Error> {
        if let Some(value) = into {
            return value.merge(self);
        }
        *into = Some(T::read(self)?);
        Ok(())
    }

    /// Reads what is not a pointer in Go, and is an `Option` here: an empty or zero value is absent.
    ///
    /// # Errors
    ///
    /// The value is not a `T`.
    #[inline(never)]
    pub fn unless_zero<T>(mut self, into: &mut Option<T>) -> Result<(), Error>
    where
        T: Value + ZeroValue + PartialEq,
    {
        if into.is_some() {
            return self.again(into);
        }
        if !self.skip_zero(T::WIRE) {
            let value = T::read(self)?;
            *into = (!is_zero(&value)).then_some(value);
        }
        Ok(())
    }

    /// Reads a value that was there before. Apart, so that the usual case is short. Hot path, row `decode as protobuf` of the benches.
    #[cold]
    fn again<T: Value + ZeroValue + PartialEq>(self, into: &mut Option<T>) -> Result<(), Error> {
        if let Some(value) = into {
            value.merge(self)?;
            if is_zero(value) {
                *into = None;
            }
        }
        Ok(())
    }

    /// Skips the number 0, or the length 0 of an empty value, if that is the value. Hot path, row `decode as protobuf` of the benches.
    #[inline]
    fn skip_zero(&mut self, wire: WireType) -> bool {
        match self.fields.rest {
            [0, rest @ ..] if self.tag & 7 == wire as u64 && wire != WireType::Fixed64 => {
                self.fields.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Reads an item of a list.
    ///
    /// # Errors
    ///
    /// The value is not a `T`.
    #[inline(never)]
    pub fn list<T: Value + ZeroValue>(self, into: &mut Vec<T>) -> Result<(), Error> {
        if into.len() == into.capacity() {
            // Other fields can come between the items. Then the list doubles, so that few items are copied.
            into.reserve_exact(self.items().max(into.len()));
        }
        if T::WIRE == WireType::Bytes || self.tag & 7 != WireType::Bytes as u64 {
            return self.item(into);
        }
        // Proto3 packs numbers, and Go reads them, although it writes one field for each.
        let (bytes, depth) = (self.fields.bytes()?, self.fields.depth);
        let mut numbers = Fields { rest: bytes, depth };
        while !numbers.is_empty() {
            Field { tag: T::WIRE as u64, fields: &mut numbers }.item(into)?;
        }
        Ok(())
    }

    #[inline]
    fn item<T: Value + ZeroValue>(self, into: &mut Vec<T>) -> Result<(), Error> {
        into.push(T::zero_value());
        let index = into.len() - 1;
        let Some(item) = into.last_mut() else { return self.skip() };
        item.merge(self).map_err(|error| error.at(index))
    }

    /// The number of fields with the same number, from this one on. More than [`COUNTED`] are estimated by their size: to
    /// find the start of each takes a tenth of the time of decoding. Hot path, row `decode as protobuf` of the benches.
    fn items(&self) -> usize {
        let (mut fields, mut count) = (*self.fields, 1);
        while fields.skip(self.tag).is_ok() && !fields.is_empty() && fields.varint() == Ok(self.tag)
        {
            if count == COUNTED {
                let (left, counted) =
                    (fields.rest.len(), self.fields.rest.len() - fields.rest.len());
                let more = left / (counted / COUNTED).max(LEAST);
                // A little more, so that a list of similar items does not grow.
                return count + (more + more / 16).min(left / LEAST + 1);
            }
            count += 1;
        }
        count
    }

    /// Reads an entry of a map: a message with the key as field 1 and the value as field 2. The last of equal keys counts.
    ///
    /// # Errors
    ///
    /// The key is not a text, or the value is not a `T`.
    pub fn map<T: Value + ZeroValue>(self, into: &mut BTreeMap<String, T>) -> Result<(), Error> {
        let (mut key, mut value) = (String::new(), T::zero_value());
        let mut fields = self.message()?;
        while let Some(field) = fields.next()? {
            match field.number() {
                1 => field.value(&mut key)?,
                2 => field.value(&mut value).map_err(|error| error.inside_key(&key))?,
                _ => field.skip()?,
            }
        }
        into.insert(key, value);
        Ok(())
    }

    /// Reads the fields of a struct that Go embeds in another: in JSON they are fields of the outer object. `names` are their
    /// names, for errors.
    ///
    /// # Errors
    ///
    /// One of the fields cannot be read.
    pub fn embedded(
        self,
        names: &[(u32, &str)],
        mut read: impl FnMut(Field<'_, '_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut fields = self.message()?;
        while let Some(field) = fields.next()? {
            let number = field.number();
            read(field).map_err(|error| error.inside_field(names, number))?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by panicking")]
mod tests {
    use super::Fields;

    /// If each item made room for only one more, every item would copy all before it.
    #[test]
    fn a_list_between_other_fields_doubles() {
        let bytes = b"\x0a\x01a\x10\x01".repeat(33);
        let (mut fields, mut items) = (Fields::new(&bytes), Vec::<String>::new());
        while let Some(field) = fields.next().unwrap() {
            match field.number() {
                1 => field.list(&mut items).unwrap(),
                _ => field.skip().unwrap(),
            }
        }
        assert_eq!((items.len(), items.capacity()), (33, 64));
    }
}
