use serde::Serialize;
use serde::ser::{
    Error as _, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::{Error, Result};

use super::Shown;

/// Where values stand.
#[derive(Clone, Copy)]
pub(super) enum Layout {
    /// All on one line.
    Line,
    /// Each on a line of its own, so many levels deep.
    Indented { depth: usize },
}

/// Writes values as JSON at the end of a text.
pub(super) struct Writer<'t> {
    out: &'t mut Vec<u8>,
    layout: Layout,
}

/// An array or an object that is being written.
pub(super) struct Compound<'w, 't> {
    writer: &'w mut Writer<'t>,
    is_empty: bool,
    end: u8,
    /// It is the value of an object that names its variant.
    is_of_variant: bool,
}

impl<'t> Writer<'t> {
    pub(super) fn new(out: &'t mut Vec<u8>, layout: Layout) -> Self {
        Self { out, layout }
    }

    fn text(&mut self, text: &str) -> Result<()> {
        if !is_plain(text.as_bytes()) {
            return text.serialize(&mut serde_json::Serializer::with_formatter(&mut *self.out, Shown));
        }
        self.plain_text(text);
        Ok(())
    }

    fn plain_text(&mut self, text: &str) {
        self.out.reserve(text.len() + 2);
        self.out.push(b'"');
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(b'"');
    }

    /// The name of a field or a variant, of which none needs an escape: they are most of all texts.
    fn name(&mut self, name: &'static str) {
        debug_assert!(is_plain(name.as_bytes()), "{name}");
        self.plain_text(name);
    }

    /// A number, as `serde_json` writes it.
    fn number(&mut self, number: impl Serialize) -> Result<()> {
        number.serialize(&mut serde_json::Serializer::new(&mut *self.out))
    }

    fn begin(&mut self, start: u8) {
        self.out.push(start);
        if let Layout::Indented { depth } = &mut self.layout {
            *depth += 1;
        }
    }

    fn end(&mut self, end: u8, is_empty: bool) {
        if let Layout::Indented { depth } = &mut self.layout {
            *depth -= 1;
        }
        if !is_empty {
            self.next_line();
        }
        self.out.push(end);
    }

    /// Comes before each value of an array and each key of an object.
    fn next(&mut self, is_first: bool) {
        if !is_first {
            self.out.push(b',');
        }
        self.next_line();
    }

    fn next_line(&mut self) {
        if let Layout::Indented { depth } = self.layout {
            self.out.push(b'\n');
            self.out.resize(self.out.len() + 2 * depth, b' ');
        }
    }

    /// Comes between a key and its value.
    fn colon(&mut self) {
        self.out.push(b':');
        if let Layout::Indented { .. } = self.layout {
            self.out.push(b' ');
        }
    }

    fn compound(&mut self, start: u8, end: u8) -> Compound<'_, 't> {
        self.begin(start);
        Compound { writer: self, is_empty: true, end, is_of_variant: false }
    }

    fn variant(&mut self, variant: &'static str, start: u8, end: u8) -> Compound<'_, 't> {
        self.begin(b'{');
        self.next(true);
        self.name(variant);
        self.colon();
        Compound { is_of_variant: true, ..self.compound(start, end) }
    }
}

impl Compound<'_, '_> {
    fn value(&mut self, value: &(impl Serialize + ?Sized)) -> Result<()> {
        let is_first = std::mem::replace(&mut self.is_empty, false);
        self.writer.next(is_first);
        value.serialize(&mut *self.writer)
    }

    fn field(&mut self, key: &'static str, value: &(impl Serialize + ?Sized)) -> Result<()> {
        let is_first = std::mem::replace(&mut self.is_empty, false);
        self.writer.next(is_first);
        self.writer.name(key);
        self.writer.colon();
        value.serialize(&mut *self.writer)
    }

    #[expect(clippy::unnecessary_wraps, reason = "this is how serde asks for it")]
    fn finish(self) -> Result<()> {
        self.writer.end(self.end, self.is_empty);
        if self.is_of_variant {
            self.writer.end(b'}', false);
        }
        Ok(())
    }
}

/// Whether no byte has to be escaped, and none is of a character beyond ASCII, which may have to be.
fn is_plain(bytes: &[u8]) -> bool {
    let is_plain = |b: &u8| matches!(b, b' ' | b'!' | b'#'..=b'[' | b']'..=b'~');
    // As many as a processor looks at together. The last of them may overlap those before.
    match bytes.last_chunk::<16>() {
        None => bytes.iter().all(is_plain),
        Some(last) => {
            let are_plain = |chunk: &[u8; 16]| chunk.iter().fold(true, |all, b| all & is_plain(b));
            are_plain(last) && bytes.as_chunks().0.iter().all(are_plain)
        }
    }
}

impl<'w, 't> Serializer for &'w mut Writer<'t> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'w, 't>;
    type SerializeTuple = Compound<'w, 't>;
    type SerializeTupleStruct = Compound<'w, 't>;
    type SerializeTupleVariant = Compound<'w, 't>;
    type SerializeMap = Compound<'w, 't>;
    type SerializeStruct = Compound<'w, 't>;
    type SerializeStructVariant = Compound<'w, 't>;

    fn serialize_bool(self, value: bool) -> Result<()> {
        self.out.extend_from_slice(if value { b"true" } else { b"false" });
        Ok(())
    }

    fn serialize_i8(self, value: i8) -> Result<()> {
        self.number(value)
    }

    fn serialize_i16(self, value: i16) -> Result<()> {
        self.number(value)
    }

    fn serialize_i32(self, value: i32) -> Result<()> {
        self.number(value)
    }

    fn serialize_i64(self, value: i64) -> Result<()> {
        self.number(value)
    }

    fn serialize_u8(self, value: u8) -> Result<()> {
        self.number(value)
    }

    fn serialize_u16(self, value: u16) -> Result<()> {
        self.number(value)
    }

    fn serialize_u32(self, value: u32) -> Result<()> {
        self.number(value)
    }

    fn serialize_u64(self, value: u64) -> Result<()> {
        self.number(value)
    }

    fn serialize_f32(self, value: f32) -> Result<()> {
        self.number(value)
    }

    fn serialize_f64(self, value: f64) -> Result<()> {
        self.number(value)
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.text(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<()> {
        self.text(value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        self.collect_seq(value)
    }

    fn serialize_none(self) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        self.out.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        self.name(variant);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        let mut object = self.compound(b'{', b'}');
        object.field(variant, value)?;
        object.finish()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Compound<'w, 't>> {
        Ok(self.compound(b'[', b']'))
    }

    fn serialize_tuple(self, _: usize) -> Result<Compound<'w, 't>> {
        Ok(self.compound(b'[', b']'))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Compound<'w, 't>> {
        Ok(self.compound(b'[', b']'))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'w, 't>> {
        Ok(self.variant(variant, b'[', b']'))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Compound<'w, 't>> {
        Ok(self.compound(b'{', b'}'))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Compound<'w, 't>> {
        Ok(self.compound(b'{', b'}'))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'w, 't>> {
        Ok(self.variant(variant, b'{', b'}'))
    }
}

/// Arrays, by whatever name: their values one by one.
macro_rules! array {
    ($($name:ident: $one:ident),+) => {$(
        impl $name for Compound<'_, '_> {
            type Ok = ();
            type Error = Error;

            fn $one<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                self.value(value)
            }

            fn end(self) -> Result<()> {
                self.finish()
            }
        }
    )+};
}

array!(
    SerializeSeq: serialize_element,
    SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field,
    SerializeTupleVariant: serialize_field
);

/// Objects whose keys are names of fields.
macro_rules! object {
    ($($name:ident),+) => {$(
        impl $name for Compound<'_, '_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
                self.field(key, value)
            }

            fn end(self) -> Result<()> {
                self.finish()
            }
        }
    )+};
}

object!(SerializeStruct, SerializeStructVariant);

impl SerializeMap for Compound<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        let is_first = std::mem::replace(&mut self.is_empty, false);
        self.writer.next(is_first);
        let start = self.writer.out.len();
        key.serialize(&mut *self.writer)?;
        match self.writer.out.get(start) {
            Some(b'"') => Ok(()),
            Some(b'-' | b'0'..=b'9') => {
                self.writer.out.insert(start, b'"');
                self.writer.out.push(b'"');
                Ok(())
            }
            _ => Err(Error::custom("a key must be a text or a number")),
        }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.writer.colon();
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<()> {
        self.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_escaped_is_found_anywhere() {
        let is_special = |b: u8| !(b' '..=b'~').contains(&b) || b == b'"' || b == b'\\';
        let others: Vec<u8> = (b' '..=b'~').filter(|&b| !is_special(b)).collect();
        for len in 0..40 {
            let plain: Vec<u8> = others.iter().copied().cycle().skip(len * 7).step_by(5).take(len).collect();
            assert!(is_plain(&plain), "{plain:?}");
            for at in 0..plain.len() {
                for byte in 0..=u8::MAX {
                    let mut other = plain.clone();
                    other[at] = byte;
                    assert_eq!(is_plain(&other), !is_special(byte), "{other:?}");
                }
            }
        }
    }
}
