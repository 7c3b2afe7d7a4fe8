//! A game as a line of a journal: the JSON that serde_json writes, in a fraction of the time. Of a short game the line took
//! longer than its moves.

use serde::ser::{Error as _, Impossible, SerializeMap, SerializeSeq, SerializeStruct};
use serde::{Serialize, Serializer};
use serde_json::{Error, Result};

/// Appends a line, its newline included.
pub(super) fn write(of: &impl Serialize, into: &mut Vec<u8>) -> Result<()> {
    of.serialize(Writer(into))?;
    into.push(b'\n');
    Ok(())
}

/// What writes one value.
struct Writer<'a>(&'a mut Vec<u8>);

/// The fields or items of a value that is being written, each with a comma behind it.
struct Items<'a> {
    out: &'a mut Vec<u8>,
    end: u8,
}

impl<'a> Writer<'a> {
    fn items(self, begin: u8, end: u8) -> Result<Items<'a>> {
        self.0.push(begin);
        Ok(Items { out: self.0, end })
    }

    fn number(self, number: u64) -> Result<()> {
        let (mut digits, mut first, mut rest) = ([0; 20], 20, number);
        loop {
            first -= 1;
            digits[first] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                self.0.extend_from_slice(&digits[first..]);
                return Ok(());
            }
        }
    }

    /// What games seldom or never have.
    fn usual(self, value: impl Serialize) -> Result<()> {
        serde_json::to_writer(self.0, &value)
    }
}

impl Items<'_> {
    fn item(&mut self, item: &(impl Serialize + ?Sized)) -> Result<()> {
        item.serialize(Writer(self.out))?;
        self.out.push(b',');
        Ok(())
    }

    fn close(self) -> Result<()> {
        match self.out.last_mut() {
            Some(last) if *last == b',' => *last = self.end,
            _ => self.out.push(self.end),
        }
        Ok(())
    }
}

impl<'a> Serializer for Writer<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Items<'a>;
    type SerializeMap = Items<'a>;
    type SerializeStruct = Items<'a>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeStructVariant = Impossible<(), Error>;

    fn serialize_bool(self, value: bool) -> Result<()> {
        self.usual(value)
    }

    fn serialize_i8(self, value: i8) -> Result<()> {
        self.serialize_i64(value.into())
    }

    fn serialize_i16(self, value: i16) -> Result<()> {
        self.serialize_i64(value.into())
    }

    fn serialize_i32(self, value: i32) -> Result<()> {
        self.serialize_i64(value.into())
    }

    fn serialize_i64(self, value: i64) -> Result<()> {
        if value < 0 {
            self.0.push(b'-');
        }
        self.number(value.unsigned_abs())
    }

    fn serialize_u8(self, value: u8) -> Result<()> {
        self.number(value.into())
    }

    fn serialize_u16(self, value: u16) -> Result<()> {
        self.number(value.into())
    }

    fn serialize_u32(self, value: u32) -> Result<()> {
        self.number(value.into())
    }

    fn serialize_u64(self, value: u64) -> Result<()> {
        self.number(value)
    }

    fn serialize_f32(self, value: f32) -> Result<()> {
        self.usual(value)
    }

    fn serialize_f64(self, value: f64) -> Result<()> {
        self.usual(value)
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.usual(value)
    }

    fn serialize_str(self, value: &str) -> Result<()> {
        if value.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
            return self.usual(value);
        }
        self.0.push(b'"');
        self.0.extend_from_slice(value.as_bytes());
        self.0.push(b'"');
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        self.usual(value)
    }

    fn serialize_none(self) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        self.usual(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<()> {
        Err(not_in_games(name))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'a>> {
        self.items(b'[', b']')
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Items<'a>> {
        self.items(b'{', b'}')
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Items<'a>> {
        self.items(b'{', b'}')
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple> {
        Err(not_in_games("a tuple"))
    }

    fn serialize_tuple_struct(self, name: &'static str, _: usize) -> Result<Self::SerializeTupleStruct> {
        Err(not_in_games(name))
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        Err(not_in_games(name))
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant> {
        Err(not_in_games(name))
    }
}

fn not_in_games(what: &str) -> Error {
    Error::custom(format_args!("{what} is in no game"))
}

impl SerializeSeq for Items<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }

    fn end(self) -> Result<()> {
        self.close()
    }
}

impl SerializeMap for Items<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        key.serialize(Writer(self.out))?;
        self.out.push(b':');
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }

    fn end(self) -> Result<()> {
        self.close()
    }
}

impl SerializeStruct for Items<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        self.out.push(b'"');
        self.out.extend_from_slice(key.as_bytes());
        self.out.extend_from_slice(b"\":");
        self.item(value)
    }

    fn end(self) -> Result<()> {
        self.close()
    }
}

#[cfg(test)]
mod tests {
    use crate::record::schema::{ErrorRecord, SearchRecord};
    use std::fs;

    #[test]
    fn a_line_is_what_serde_json_writes() {
        let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../results/samples");
        let files = fs::read_dir(samples).unwrap().map(|entry| entry.unwrap().path());
        for file in files.filter(|file| file.extension().is_some_and(|end| end == "json")) {
            for mut game in crate::record::read(&file).unwrap().games {
                let (text, line) = ("\"a\\b\"\n\u{1}ü".to_owned(), vec![String::new()]);
                game.plies[0].search = Some(
                    SearchRecord { score: Some(i32::MIN), nodes: u64::MAX, depth: 10, line, text }.into(),
                );
                game.errors.push(ErrorRecord {
                    ply: 0,
                    seat: 1,
                    attempt: 2,
                    answer: "\u{7f}".to_owned(),
                    reason: String::new(),
                    sentence: String::new(),
                    position: String::new(),
                    wall_ns: Some(100),
                    cpu_ns: None,
                    charged_ns: None,
                    starved_ns: None,
                });
                let (mut line, mut expected) = (Vec::new(), serde_json::to_vec(&game).unwrap());
                super::write(&game, &mut line).unwrap();
                expected.push(b'\n');
                assert_eq!(String::from_utf8(line), String::from_utf8(expected));
            }
        }
    }
}
