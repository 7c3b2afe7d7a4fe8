//! Offset and size of every field, and the value of every constant: the header's against the mirror's.
//! Two fields of one type that changed places would slip through every other test.

use arbiter_plugin_api::layout;
use std::fmt::Write;

use crate::compile::{C, output_of, scratch};

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
    let (mut calls, mut expected) = (String::new(), String::new());
    for of in layout::structs() {
        let covered: usize = of.fields.iter().map(|field| field.size).sum();
        assert_eq!(covered, of.size, "the list for {} names every field", of.name);
        for layout::Field { name, offset, size, .. } in of.fields {
            writeln!(calls, "    FIELD({}, {name});", of.name).unwrap();
            writeln!(expected, "{}.{name} {offset} {size}", of.name).unwrap();
        }
    }
    compare(&printed_by_c("layout.c", &calls), &expected);
}

#[test]
fn every_number_has_the_value_that_c_bots_know() {
    let (mut calls, mut expected) = (String::new(), String::new());
    for (name, value) in layout::constants() {
        writeln!(calls, "    CONSTANT({name});").unwrap();
        writeln!(expected, "{name} {value}").unwrap();
    }
    compare(&printed_by_c("constants.c", &calls), &expected);
}

/// Otherwise a struct that is added to the header could be missing in what other languages are told.
#[test]
fn every_struct_of_the_header_is_in_the_list() {
    let header = include_str!("../../include/arbiter_bot.h");
    let ends = header.lines().filter_map(|line| line.strip_prefix("} ")?.strip_suffix(';'));
    let mut there: Vec<&str> = ends.chain(["arbiter_host"]).collect();
    let mut told: Vec<&str> = layout::structs().iter().map(|one| one.name).collect();
    there.sort_unstable();
    told.sort_unstable();
    assert_eq!(told, there);
}

#[test]
fn extensions_have_the_names_that_c_bots_ask_for() {
    let calls = "    puts(ARBITER_PATH_V1);\n    puts(ARBITER_CHANCE_V1);\n    puts(ARBITER_ROOT_MOVES_V1);\n    puts(ARBITER_PAYLOAD_V1);\n";
    let names = layout::extensions();
    assert_eq!(printed_by_c("names.c", calls), names);
}
