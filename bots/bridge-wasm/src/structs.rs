//! The structs of `arbiter_bot.h` as they lie in a module's memory: the same fields in the same order, with pointers of four
//! bytes. `arbiter_plugin_api::layout` has the fields, so nothing is written down twice.

use arbiter_plugin_api::layout::{self, Kind};
use std::sync::LazyLock;

/// A struct, as it lies here and there.
pub(crate) struct Shape {
    pub(crate) size: u32,
    fields: Vec<Field>,
}

struct Field {
    name: &'static str,
    /// Bytes from the beginning, here.
    from: usize,
    /// And in the module.
    at: usize,
    size: usize,
    is_pointer: bool,
}

macro_rules! shapes {
    ($($name:ident is $c:literal)+) => {
        $(pub(crate) static $name: LazyLock<Shape> = LazyLock::new(|| Shape::of($c));)+
    };
}

shapes! {
    HOST is "arbiter_host"
    GAME is "arbiter_game"
    TURN is "arbiter_turn"
    EVENT is "arbiter_event"
    RESULT is "arbiter_result"
    BOT is "arbiter_bot"
    REPORT is "arbiter_report"
    ROOT_MOVE is "arbiter_root_move"
}

/// Bytes of a pointer in a module.
const POINTER: usize = 4;

impl Shape {
    fn of(name: &str) -> Shape {
        let known = layout::structs().into_iter().find(|known| known.name == name);
        let (mut at, mut align, mut fields) = (0_usize, POINTER, Vec::new());
        for field in known.map(|known| known.fields).unwrap_or_default() {
            let is_pointer = !matches!(field.kind, Kind::Number(_));
            let size = if is_pointer { POINTER } else { field.size };
            (at, align) = (at.next_multiple_of(size), align.max(size));
            fields.push(Field { name: field.name, from: field.offset, at, size, is_pointer });
            at += size;
        }
        Shape { size: at.next_multiple_of(align) as u32, fields }
    }

    /// A struct of ours as its bytes in a module. `pointers` gives what is to stand in the place of each pointer.
    pub(crate) fn image(&self, ours: &[u8], pointers: impl Fn(&str) -> u32) -> Vec<u8> {
        let mut image = vec![0; self.size as usize];
        for field in &self.fields {
            let place = &mut image[field.at..field.at + field.size];
            match field.name {
                "struct_size" => place.copy_from_slice(&self.size.to_le_bytes()),
                name if field.is_pointer => place.copy_from_slice(&pointers(name).to_le_bytes()),
                _ => {
                    place.copy_from_slice(&ours[field.from..field.from + field.size]);
                    // A module has the low byte first, whatever this machine has.
                    if cfg!(target_endian = "big") {
                        place.reverse();
                    }
                }
            }
        }
        image
    }

    /// A field of a struct in a module; 0 where it is not there.
    pub(crate) fn read(&self, theirs: &[u8], name: &str) -> u64 {
        let field = self.fields.iter().find(|field| field.name == name);
        let bytes = field.and_then(|field| theirs.get(field.at..field.at + field.size));
        bytes.unwrap_or_default().iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sums of the header, with pointers of four bytes.
    #[test]
    fn structs_are_as_long_as_a_compiler_for_modules_makes_them() {
        for (shape, fixed, pointers) in [
            (&HOST, 8, 25),
            (&GAME, 80, 6),
            (&TURN, 48, 8),
            (&EVENT, 32, 4),
            (&BOT, 16, 13),
            (&REPORT, 32, 2),
        ] {
            assert_eq!(shape.size, fixed + 4 * pointers);
        }
    }
}
