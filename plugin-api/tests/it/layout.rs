//! Offset and size of every field, and the value of every constant: the header's against the mirror's.
//! Two fields of one type that changed places would slip through every other test.

use std::fmt::Write;
use std::mem::offset_of;

use arbiter_plugin_api::raw;

use crate::compile::{C, output_of, scratch};

/// Adds a struct to both sides: the C statements that print its layout, and what they should print.
macro_rules! layout {
    ($calls:ident, $expected:ident, $c:literal is $rust:ty { $($field:ident),+ $(,)? }) => {
        let mut covered = 0;
        $({
            let field = stringify!($field).trim_start_matches("r#");
            let size = size_of_field(|it: &$rust| &it.$field);
            covered += size;
            writeln!($calls, "    FIELD({}, {field});", $c).unwrap();
            writeln!($expected, "{}.{field} {} {size}", $c, offset_of!($rust, $field)).unwrap();
        })+
        assert_eq!(covered, size_of::<$rust>(), "the list for {} names every field", $c);
    };
}

fn size_of_field<T, F>(_: fn(&T) -> &F) -> usize {
    size_of::<F>()
}

macro_rules! constants {
    ($calls:ident, $expected:ident, $($name:ident)+) => {
        $(
            let name = concat!("ARBITER_", stringify!($name));
            writeln!($calls, "    CONSTANT({name});").unwrap();
            writeln!($expected, "{name} {}", i128::from(raw::$name)).unwrap();
        )+
    };
}

fn printed_by_c(name: &str, calls: &str) -> Vec<String> {
    let program = format!(
        r#"
#include "arbiter_bot.h"
#include <inttypes.h>
#include <stdio.h>
#define FIELD(s, f) printf(#s "." #f " %u %u\n", (unsigned)offsetof(s, f), (unsigned)sizeof(((s *)0)->f))
#define CONSTANT(c) printf(#c " %" PRId64 "\n", (int64_t)(c))
int main(void)
{{
{calls}    return 0;
}}
"#
    );
    let source = scratch(name);
    std::fs::write(&source, program).unwrap();
    output_of(&source, C[0]).lines().map(String::from).collect()
}

fn compare(printed: &[String], expected: &str) {
    assert_eq!(printed.len(), expected.lines().count());
    for (c, rust) in printed.iter().zip(expected.lines()) {
        assert_eq!(c, rust, "the header and the mirror differ");
    }
}

#[test]
fn every_field_lies_where_c_bots_look_for_it() {
    let mut calls = String::new();
    let mut expected = String::new();
    layout!(calls, expected, "arbiter_report" is raw::Report {
        struct_size, depth, best, nodes, score, pv_count, pv, text,
    });
    layout!(calls, expected, "arbiter_host" is raw::Host {
        struct_size, abi, name, version, ctx, extension, log, should_stop, time_left_ns, random, report,
        pos_copy, pos_free, pos_set, legal_moves, apply, undo, to_move, outcome, cells, column, hash,
        pos_text, pos_parse, move_text, move_parse, move_path,
    });
    layout!(calls, expected, "arbiter_path_v1" is raw::PathV1 { answer });
    layout!(calls, expected, "arbiter_chance_v1" is raw::ChanceV1 { apply_sampled });
    layout!(calls, expected, "arbiter_root_move" is raw::RootMove { r#move, score, bound });
    layout!(calls, expected, "arbiter_root_moves_v1" is raw::RootMovesV1 { report });
    layout!(calls, expected, "arbiter_option" is raw::Setting { key, value });
    layout!(calls, expected, "arbiter_game" is raw::Game {
        struct_size, seat, players, width, height, depth, game, host, start, start_text, rules, options,
        rule_count, option_count, threads, max_errors, memory, seed, time_ns, increment_ns, move_limit_ns,
    });
    layout!(calls, expected, "arbiter_turn" is raw::Turn {
        struct_size, seat, ply, move_count, moves, pos, cells, text, cell_count, players, attempt,
        history_count, hard_ns, soft_ns, clocks_ns, history, host, game,
    });
    layout!(calls, expected, "arbiter_event" is raw::Event {
        struct_size, seat, ply, flags, r#move, time_ns, pos, text, host, game,
    });
    layout!(calls, expected, "arbiter_result" is raw::GameResult {
        struct_size, outcome, players, seat, outcomes, ranks, scores, reason, host, game,
    });
    layout!(calls, expected, "arbiter_bot" is raw::Bot {
        magic, abi, struct_size, flags, name, version, author, about, games, create, destroy, new_game,
        choose_move, played, game_over, stop, extension,
    });
    compare(&printed_by_c("layout.c", &calls), &expected);
}

#[test]
fn every_number_has_the_value_that_c_bots_know() {
    let mut calls = String::new();
    let mut expected = String::new();
    constants!(calls, expected, ABI_MAJOR ABI_MINOR ABI MAGIC
        MAX_PLAYERS MAX_MOVES MAX_PATH MAX_CELLS MAX_TEXT MAX_MOVE_TEXT MAX_ANSWER NO_LIMIT
        OK RESIGN ERR_FAILED ERR_ARGUMENT ERR_ILLEGAL ERR_STATE ERR_UNSUPPORTED ERR_MEMORY ERR_PANIC
        NO_MOVE KIND_PLACE KIND_MOVE KIND_REMOVE KIND_PASS MOVE_PASS CELL_EMPTY CELL_OUTSIDE
        SEAT_NONE SEAT_CHANCE LOG_DEBUG LOG_INFO LOG_WARN LOG_ERROR GO_ON ENOUGH STOP ABANDON
        NO_SCORE EXACT AT_MOST AT_LEAST RUNNING WIN DRAW LOSS EVENT_FORCED EVENT_ELIMINATED BOT_REENTRANT);
    compare(&printed_by_c("constants.c", &calls), &expected);
}

#[test]
fn extensions_have_the_names_that_c_bots_ask_for() {
    let calls =
        "    puts(ARBITER_PATH_V1);\n    puts(ARBITER_CHANCE_V1);\n    puts(ARBITER_ROOT_MOVES_V1);\n";
    let names = [raw::PATH_V1, raw::CHANCE_V1, raw::ROOT_MOVES_V1].map(|name| name.to_str().unwrap());
    assert_eq!(printed_by_c("names.c", calls), names);
}
