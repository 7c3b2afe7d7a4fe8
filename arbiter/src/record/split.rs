//! Takes JSON apart without building anything of it: values are handed out as text, so that of a list of any length one
//! item at a time is in memory.

use serde::de::{DeserializeOwned, IgnoredAny};
use std::io::{self, BufRead};
use std::ops::Range;

/// JSON text that is read from its beginning, value by value.
pub(super) struct Splitter<R> {
    input: R,
    /// The place of the next byte.
    at: u64,
    /// The value that was read last, and its place.
    text: Vec<u8>,
    start: u64,
    /// Nothing has been read since the last bracket was opened.
    is_first: bool,
    /// The items of lists had lines of their own so far.
    has_lines: bool,
}

/// Longer lines are not looked for.
const LONGEST_LINE: usize = 64 << 10;

/// Why JSON text cannot be taken apart.
#[derive(Debug)]
pub(super) enum SplitError {
    /// It cannot be read.
    Read(io::Error),
    /// It is no JSON, or not what was expected: what is wrong, and at which byte.
    Wrong(String, u64),
}

impl<R: BufRead> Splitter<R> {
    /// Begins with the byte that has this number. A byte order mark is passed over.
    pub(super) fn new(mut input: R, at: u64) -> Result<Splitter<R>, SplitError> {
        const MARK: &[u8] = "\u{feff}".as_bytes();
        let has_mark = at == 0 && input.fill_buf().map_err(SplitError::Read)?.starts_with(MARK);
        let mut splitter =
            Splitter { input, at, text: Vec::new(), start: at, is_first: false, has_lines: true };
        if has_mark {
            splitter.consume(MARK.len());
        }
        Ok(splitter)
    }

    /// Opens an object.
    pub(super) fn object(&mut self) -> Result<(), SplitError> {
        self.expect(b'{', "an object")?;
        self.is_first = true;
        Ok(())
    }

    /// The name of the object's next field, after which its value has to be read; `None` at the end of the object.
    pub(super) fn key(&mut self) -> Result<Option<String>, SplitError> {
        if self.is_end(b'}')? {
            return Ok(None);
        }
        let key = self.parse()?;
        self.expect(b':', "a colon")?;
        Ok(Some(key))
    }

    /// Reads the items of a list; whoever is called has to read one value.
    pub(super) fn items(
        &mut self,
        mut item: impl FnMut(&mut Splitter<R>) -> Result<(), SplitError>,
    ) -> Result<(), SplitError> {
        self.expect(b'[', "a list")?;
        (self.is_first, self.has_lines) = (true, true);
        while !self.is_end(b']')? {
            item(self)?;
        }
        Ok(())
    }

    /// The next value.
    pub(super) fn parse<T: DeserializeOwned>(&mut self) -> Result<T, SplitError> {
        if let Some(value) = self.parse_line()? {
            return Ok(value);
        }
        self.value()?;
        serde_json::from_slice(&self.text).map_err(|error| {
            let lines = self.text.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::len);
            let before: usize = lines.take(error.line().saturating_sub(1)).sum();
            let at = self.start + (before + error.column().saturating_sub(1)) as u64;
            let problem = error.to_string();
            SplitError::Wrong(problem.split(" at line ").next().unwrap_or(&problem).to_owned(), at)
        })
    }

    /// The next value, if nothing but a comma is behind it on its line, as in the lists that arbiter writes: nobody has to
    /// look for its end then. No line ends within a text.
    fn parse_line<T: DeserializeOwned>(&mut self) -> Result<Option<T>, SplitError> {
        if !self.has_lines || self.peek()? != Some(b'{') {
            return Ok(None);
        }
        let chunk = self.input.fill_buf().map_err(SplitError::Read)?;
        let mut rest = &chunk[..chunk.len().min(LONGEST_LINE)];
        let length = rest.skip_until(b'\n').map_err(SplitError::Read)?;
        let line = chunk[..length].trim_ascii_end();
        let text = line.strip_suffix(b",").unwrap_or(line);
        if !chunk[..length].ends_with(b"\n") {
            // It goes on behind the buffer; or it is so long that looking for its end does not pay.
            self.has_lines = length < LONGEST_LINE;
            return Ok(None);
        }
        let (value, length) = (serde_json::from_slice(text).ok(), text.len());
        self.has_lines = value.is_some();
        if value.is_some() {
            (self.start, self.is_first) = (self.at, false);
            self.consume(length);
        }
        Ok(value)
    }

    /// Passes over the next value, which has to be JSON.
    pub(super) fn skip(&mut self) -> Result<(), SplitError> {
        if self.peek()? == Some(b'[') {
            self.items(|items| items.parse().map(|IgnoredAny| ()))
        } else {
            self.parse().map(|IgnoredAny| ())
        }
    }

    /// The text of the next value, as far as its brackets and quotes tell; without it where it is not wanted.
    pub(super) fn value(&mut self) -> Result<&[u8], SplitError> {
        self.text.clear();
        let mut text = std::mem::take(&mut self.text);
        let walked = self.walk(|bytes| text.extend_from_slice(bytes));
        self.text = text;
        walked.map(|()| &*self.text)
    }

    /// Passes over the next value, and believes whatever is in its brackets.
    pub(super) fn pass(&mut self) -> Result<(), SplitError> {
        self.walk(|_| {})
    }

    /// Where the value lies that was read last.
    pub(super) fn range(&self) -> Range<u64> {
        self.start..self.at
    }

    /// The next byte that is no space.
    pub(super) fn peek(&mut self) -> Result<Option<u8>, SplitError> {
        loop {
            let chunk = self.input.fill_buf().map_err(SplitError::Read)?;
            let next = chunk.iter().position(|byte| !byte.is_ascii_whitespace());
            let (spaces, byte) = (next.unwrap_or(chunk.len()), next.map(|next| chunk[next]));
            self.consume(spaces);
            if byte.is_some() || spaces == 0 {
                return Ok(byte);
            }
        }
    }

    /// Where the next value begins.
    pub(super) fn place(&mut self) -> Result<u64, SplitError> {
        self.peek().map(|_| self.at)
    }

    /// What is wrong here.
    pub(super) fn wrong(&self, problem: impl Into<String>) -> SplitError {
        SplitError::Wrong(problem.into(), self.at)
    }

    fn expect(&mut self, byte: u8, what: &str) -> Result<(), SplitError> {
        match self.peek()? {
            Some(found) if found == byte => {
                self.consume(1);
                Ok(())
            }
            Some(_) => Err(self.wrong(format!("expected {what}"))),
            None => Err(self.wrong(format!("EOF where {what} was expected"))),
        }
    }

    /// Whether the list or object ends here; otherwise the comma before its next value has been read.
    fn is_end(&mut self, bracket: u8) -> Result<bool, SplitError> {
        let is_first = std::mem::take(&mut self.is_first);
        match self.peek()? {
            Some(byte) if byte == bracket => {
                self.consume(1);
                Ok(true)
            }
            Some(_) if is_first => Ok(false),
            Some(b',') => {
                self.consume(1);
                Ok(false)
            }
            Some(_) => Err(self.wrong("expected a comma")),
            None => Err(self.wrong("EOF in the middle")),
        }
    }

    /// Reads a value and shows its bytes.
    fn walk(&mut self, mut show: impl FnMut(&[u8])) -> Result<(), SplitError> {
        self.start = self.place()?;
        let mut inside = Inside::default();
        loop {
            let chunk = self.input.fill_buf().map_err(SplitError::Read)?;
            if chunk.is_empty() {
                let is_whole = inside.is_word && self.at > self.start;
                return if is_whole { Ok(()) } else { Err(self.wrong("EOF in the middle of a value")) };
            }
            let (length, is_over) = inside.advance(chunk);
            show(&chunk[..length]);
            self.consume(length);
            if is_over && self.at == self.start {
                return Err(self.wrong("expected a value"));
            }
            if is_over {
                return Ok(());
            }
        }
    }

    fn consume(&mut self, bytes: usize) {
        self.input.consume(bytes);
        self.at += bytes as u64;
    }
}

/// How far a value has been read.
#[derive(Default)]
struct Inside {
    depth: usize,
    in_string: bool,
    is_escaped: bool,
    /// A number, or a word such as `null`: it has no end of its own.
    is_word: bool,
}

impl Inside {
    /// How many of these bytes belong to the value, and whether it ends with them.
    fn advance(&mut self, bytes: &[u8]) -> (usize, bool) {
        let mut at = 0;
        while at < bytes.len() {
            if self.is_escaped {
                self.is_escaped = false;
                at += 1;
            } else if self.in_string {
                let Some(next) = bytes[at..].iter().position(|&byte| byte == b'"' || byte == b'\\') else {
                    return (bytes.len(), false);
                };
                at += next + 1;
                self.is_escaped = bytes[at - 1] == b'\\';
                self.in_string = self.is_escaped;
                if !self.in_string && self.depth == 0 {
                    return (at, true);
                }
            } else {
                match bytes[at] {
                    b',' | b':' | b']' | b'}' if self.depth == 0 => return (at, true),
                    byte if self.is_word && byte.is_ascii_whitespace() => return (at, true),
                    b'"' => self.in_string = true,
                    b'{' | b'[' => self.depth += 1,
                    b'}' | b']' => {
                        self.depth -= 1;
                        if self.depth == 0 {
                            return (at + 1, true);
                        }
                    }
                    _ => self.is_word = self.depth == 0,
                }
                at += 1;
            }
        }
        (bytes.len(), false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// What the fields of an object are, read with a buffer of so many bytes; lists item by item.
    fn read(text: &str, buffer: usize) -> Result<Vec<(String, Value)>, SplitError> {
        let mut json = Splitter::new(io::BufReader::with_capacity(buffer, text.as_bytes()), 0)?;
        let mut fields = Vec::new();
        json.object()?;
        while let Some(key) = json.key()? {
            if json.peek()? == Some(b'[') {
                let mut items = Vec::new();
                json.items(|json| {
                    let item: Value = json.parse()?;
                    let Range { start, end } = json.range();
                    assert_eq!(
                        item,
                        serde_json::from_str::<Value>(&text[start as usize..end as usize]).unwrap()
                    );
                    items.push(item);
                    Ok(())
                })?;
                fields.push((key, Value::Array(items)));
            } else {
                fields.push((key, json.parse()?));
            }
        }
        Ok(fields)
    }

    #[test]
    fn text_is_taken_apart_wherever_the_buffer_ends() {
        let text = r#" { "a\"}":[ 1 ,-2.5e3,"x\\",  "],\"", {"b":[[]],"c":"}"}, null ] , "d" : {"e":{}},"f":true,"g":[] } "#;
        let lines = "{\"a\": [\n  {\"b\":1},\r\n  {\"c\":\"},\"} ,\n{\"d\":[{}]}\n\n,{\n} ] , \"e\":\n{\"f\":2},\n\"g\":{}\n}";
        for text in [lines.to_owned(), text.to_owned(), text.replace(' ', "\r\n\t "), text.replace(' ', "")] {
            for buffer in [1, 2, 3, 7, 64, 4096] {
                let fields: serde_json::Map<String, Value> =
                    read(&text, buffer).unwrap().into_iter().collect();
                assert_eq!(Value::Object(fields), serde_json::from_str::<Value>(&text).unwrap(), "{buffer}");
            }
        }
    }

    #[test]
    fn text_that_is_no_json_is_refused_with_its_place() {
        let whole = r#"{"a":[{"b":"c"},12],"d":null}"#;
        for end in 0..whole.len() {
            assert!(read(&whole[..end], 4).is_err(), "cut after {end} bytes");
        }
        for (text, place) in [
            ("[]", 0),
            ("{\"a\" 1}", 5),
            ("{\"a\":[1,]}", 8),
            ("{\"a\":[{\"b\":1]]}", 12),
            ("{\"a\":\n\n{\"b\":\n!}}", 13),
            ("{\"a\":}", 5),
            ("{\"a\":[1 2]}", 8),
            ("{\"a\":[,1]}", 6),
            ("{,}", 1),
        ] {
            match read(text, 4) {
                Err(SplitError::Wrong(_, at)) => assert_eq!(at, place, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
        assert!(read(&format!("{{\"a\":{}", "[".repeat(1_000_000)), 64).is_err(), "depth costs no stack");
        assert_eq!(read("\u{feff}{\"a\":1}", 64).unwrap(), [("a".to_owned(), json!(1))]);
    }
}
