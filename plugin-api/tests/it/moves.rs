//! A move is the same number in C and in Rust.

use std::fmt::Write;

use arbiter_plugin_api::{Kind, Move};

use crate::compile::{output_of, scratch};

const KINDS: [(Kind, &str); 4] = [
    (Kind::Place, "ARBITER_KIND_PLACE"),
    (Kind::Move, "ARBITER_KIND_MOVE"),
    (Kind::Remove, "ARBITER_KIND_REMOVE"),
    (Kind::Pass, "ARBITER_KIND_PASS"),
];
const NUMBERS: [u16; 6] = [0, 1, 120, 255, 4095, u16::MAX];

#[test]
fn a_move_means_the_same_in_c_and_in_rust() {
    let mut calls = String::new();
    let mut expected = String::new();
    for (kind, name) in KINDS {
        for from in NUMBERS {
            for to in NUMBERS {
                for extra in NUMBERS {
                    writeln!(calls, "    show({name}, {from}, {to}, {extra});").unwrap();
                    let m = Move::new(kind, from, to, extra);
                    assert_eq!(m.kind(), Some(kind));
                    let number = m.to_raw();
                    writeln!(expected, "{number} {} {} {}", m.from(), m.to(), m.extra()).unwrap();
                }
            }
        }
    }
    let source = scratch("moves.c");
    let program = format!(
        r#"
#include "arbiter_bot.h"
#include <inttypes.h>
#include <stdio.h>
static void show(uint32_t kind, uint32_t from, uint32_t to, uint32_t extra)
{{
    arbiter_move m = arbiter_move_make(kind, from, to, extra);
    if (arbiter_move_kind(m) == kind)
        printf("%" PRIu64 " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", m, arbiter_move_from(m),
               arbiter_move_to(m), arbiter_move_extra(m));
}}
int main(void)
{{
{calls}    return 0;
}}
"#
    );
    std::fs::write(&source, program).unwrap();
    assert!(output_of(&source, "c99") == expected, "C and Rust disagree about the number of a move");
}

#[test]
fn no_move_and_the_pass_are_not_mistaken_for_each_other() {
    assert_eq!(Move::NONE.kind(), None);
    assert_eq!(Move::PASS, Move::new(Kind::Pass, 0, 0, 0));
    assert!(Move::PASS.is_pass() && !Move::NONE.is_pass());
}

#[test]
fn a_number_that_is_no_move_is_carried_unharmed() {
    let odd = Move::from_raw(u64::MAX);
    assert_eq!((odd.kind(), odd.to_raw()), (None, u64::MAX));
    assert_eq!(format!("{odd:?}"), "Move(0xffffffffffffffff)");
}
