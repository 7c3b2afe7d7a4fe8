//! The structs and numbers of `arbiter_bot.h` as data, for languages that do not read C: `arbiter abi --json` prints them.
//! Sizes and offsets are those of this kind of machine.

use crate::raw;
use std::any::type_name;
use std::mem::offset_of;

/// A struct of the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Struct {
    /// As in C: `arbiter_turn`.
    pub name: &'static str,
    /// Its size in bytes.
    pub size: usize,
    /// The alignment that it needs, in bytes.
    pub align: usize,
    /// Every field, in order, without padding between them.
    pub fields: Vec<Field>,
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// As in C.
    pub name: &'static str,
    /// Bytes from the beginning of the struct.
    pub offset: usize,
    /// Its size in bytes.
    pub size: usize,
    /// What it holds.
    pub kind: Kind,
}

/// What a field holds, or a function takes or returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number: `u8` to `u64`, `i32` or `i64`.
    Number(&'static str),
    /// The address of something that is no function.
    Pointer,
    /// The address of a function of the C calling convention.
    Function {
        /// What it takes, in order.
        takes: Vec<Kind>,
        /// What it returns; `None` for nothing.
        returns: Option<Box<Kind>>,
    },
}

impl Kind {
    /// The kind of a type, by the name that the compiler has for it.
    fn of(name: &str) -> Kind {
        let numbers = ["u8", "u16", "u32", "u64", "i32", "i64"];
        if let Some((_, function)) = name.split_once("fn(") {
            let (takes, returns) = function.split_once(')').unwrap_or((function, ""));
            let takes = takes.split(", ").filter(|one| !one.is_empty()).map(Kind::of).collect();
            let returns =
                returns.trim_end_matches('>').split_once("-> ").map(|(_, one)| Box::new(Kind::of(one)));
            return Kind::Function { takes, returns };
        }
        numbers.iter().find(|number| **number == name).map_or(Kind::Pointer, |number| Kind::Number(number))
    }
}

/// The size and the kind of a field.
fn of_field<T, F>(_: fn(&T) -> &F) -> (usize, Kind) {
    (size_of::<F>(), Kind::of(type_name::<F>()))
}

macro_rules! layout {
    ($structs:ident, $c:literal is $rust:ty { $($field:ident),+ $(,)? }) => {
        $structs.push(Struct {
            name: $c,
            size: size_of::<$rust>(),
            align: align_of::<$rust>(),
            fields: vec![$({
                let (size, kind) = of_field(|it: &$rust| &it.$field);
                Field {
                    name: stringify!($field).trim_start_matches("r#"),
                    offset: offset_of!($rust, $field),
                    size,
                    kind,
                }
            }),+],
        });
    };
}

macro_rules! constants {
    ($($name:ident)+) => {
        vec![$((concat!("ARBITER_", stringify!($name)), i128::from(raw::$name))),+]
    };
}

/// Every struct of the header.
#[must_use]
pub fn structs() -> Vec<Struct> {
    let mut structs = Vec::new();
    layout!(structs, "arbiter_report" is raw::Report {
        struct_size, depth, best, nodes, score, pv_count, pv, text,
    });
    layout!(structs, "arbiter_host" is raw::Host {
        struct_size, abi, name, version, ctx, extension, log, should_stop, time_left_ns, random, report,
        pos_copy, pos_free, pos_set, legal_moves, apply, undo, to_move, outcome, cells, column, hash,
        pos_text, pos_parse, move_text, move_parse, move_path,
    });
    layout!(structs, "arbiter_path_v1" is raw::PathV1 { answer });
    layout!(structs, "arbiter_chance_v1" is raw::ChanceV1 { apply_sampled });
    layout!(structs, "arbiter_root_move" is raw::RootMove { r#move, score, bound });
    layout!(structs, "arbiter_root_moves_v1" is raw::RootMovesV1 { report });
    layout!(structs, "arbiter_payload_v1" is raw::PayloadV1 { data, name, sha256, size });
    layout!(structs, "arbiter_option" is raw::Setting { key, value });
    layout!(structs, "arbiter_game" is raw::Game {
        struct_size, seat, players, width, height, depth, game, host, start, start_text, rules, options,
        rule_count, option_count, threads, max_errors, memory, seed, time_ns, increment_ns, move_limit_ns,
    });
    layout!(structs, "arbiter_turn" is raw::Turn {
        struct_size, seat, ply, move_count, moves, pos, cells, text, cell_count, players, attempt,
        history_count, hard_ns, soft_ns, clocks_ns, history, host, game,
    });
    layout!(structs, "arbiter_event" is raw::Event {
        struct_size, seat, ply, flags, r#move, time_ns, pos, text, host, game,
    });
    layout!(structs, "arbiter_result" is raw::GameResult {
        struct_size, outcome, players, seat, outcomes, ranks, scores, reason, host, game,
    });
    layout!(structs, "arbiter_bot" is raw::Bot {
        magic, abi, struct_size, flags, name, version, author, about, games, create, destroy, new_game,
        choose_move, played, game_over, stop, extension,
    });
    structs
}

/// Every number that the header defines, with its name in C.
#[must_use]
pub fn constants() -> Vec<(&'static str, i128)> {
    constants!(ABI_MAJOR ABI_MINOR ABI MAGIC
        MAX_PLAYERS MAX_MOVES MAX_PATH MAX_CELLS MAX_TEXT MAX_MOVE_TEXT MAX_ANSWER NO_LIMIT
        OK RESIGN ERR_FAILED ERR_ARGUMENT ERR_ILLEGAL ERR_STATE ERR_UNSUPPORTED ERR_MEMORY ERR_PANIC
        NO_MOVE KIND_PLACE KIND_MOVE KIND_REMOVE KIND_PASS MOVE_PASS CELL_EMPTY CELL_OUTSIDE
        SEAT_NONE SEAT_CHANCE LOG_DEBUG LOG_INFO LOG_WARN LOG_ERROR GO_ON ENOUGH STOP ABANDON
        NO_SCORE EXACT AT_MOST AT_LEAST RUNNING WIN DRAW LOSS EVENT_FORCED EVENT_ELIMINATED BOT_REENTRANT)
}

/// The name of every extension.
#[must_use]
pub fn extensions() -> [&'static str; 4] {
    [raw::PATH_V1, raw::CHANCE_V1, raw::ROOT_MOVES_V1, raw::PAYLOAD_V1]
        .map(|id| id.to_str().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_told_apart_by_what_they_take_and_return() {
        let number = |name| Kind::Number(name);
        let takes = || vec![Kind::Pointer, number("u32")];
        let returns = Some(Box::new(number("i32")));
        type Maybe = Option<unsafe extern "C" fn(*const raw::Host, u32) -> i32>;
        assert_eq!(Kind::of(type_name::<Maybe>()), Kind::Function { takes: takes(), returns });
        type Nothing = unsafe extern "C" fn(*const raw::Host, u32);
        assert_eq!(Kind::of(type_name::<Nothing>()), Kind::Function { takes: takes(), returns: None });
        assert_eq!(Kind::of(type_name::<*const u8>()), Kind::Pointer);
    }
}
