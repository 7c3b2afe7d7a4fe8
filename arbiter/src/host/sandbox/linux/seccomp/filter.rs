//! From a list of rules to a program for the kernel's filter machine.
//!
//! Calls are found by halving the range of numbers, not one after another: the kernel runs the program once for every
//! number when it is installed, to learn which calls need no run at all. What is left to run costs a few nanoseconds.

use super::Machine;

/// What happens to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// It is made.
    Allow,
    /// It fails with this error.
    Fail(i32),
    /// The bot's process ends, and the referee learns which call it was.
    Forbid,
    /// The referee is asked, where it can be.
    Ask,
}

/// A condition on the lower 32 bits of an argument, which is all that the kernel looks at in these places, or on a
/// pointer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Test {
    /// These bits of the argument have this value.
    Bits { argument: u8, mask: u32, value: u32 },
    /// The argument is the number of this very process.
    IsThisProcess { argument: u8 },
    /// The pointer is null.
    IsNull { argument: u8 },
}

/// What happens to a call: what the first case says that fits, or else `otherwise`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    pub(super) call: &'static str,
    pub(super) cases: &'static [(Test, Action)],
    pub(super) otherwise: Action,
}

/// What the actions are in the kernel's terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Terms {
    pub(super) forbid: u32,
    pub(super) ask: u32,
    /// For calls without a rule.
    pub(super) unlisted: Action,
    /// The number of this process.
    pub(super) process: u32,
}

/// Where the kernel's description of a call has its number, its architecture, its arguments.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENTS: u32 = 16;

/// Numbers from `from` up to the next range, and what happens to them.
struct Range<'a> {
    from: u32,
    body: Body<'a>,
}

#[derive(Clone, Copy)]
enum Body<'a> {
    Plain(Action),
    Cases(&'a Rule),
}

/// Translates rules for a machine. Calls that the machine does not have are left out.
pub(super) fn program(machine: &Machine, rules: &[Rule], terms: &Terms) -> Vec<libc::sock_filter> {
    let ranges = ranges(machine, rules, terms.unlisted);
    let mut program = vec![
        load(ARCHITECTURE),
        jump(libc::BPF_JEQ, machine.arch, 1, 0),
        // Calls of another architecture have other numbers: none is listed.
        give(terms.unlisted, terms),
        load(NUMBER),
    ];
    program.append(&mut search(&ranges, terms));
    program
}

fn ranges<'a>(machine: &Machine, rules: &'a [Rule], unlisted: Action) -> Vec<Range<'a>> {
    let mut numbered: Vec<(u32, &Rule)> =
        rules.iter().filter_map(|rule| Some((machine.number(rule.call)?, rule))).collect();
    numbered.sort_by_key(|(number, _)| *number);
    let mut ranges = vec![Range { from: 0, body: Body::Plain(unlisted) }];
    let mut add = |from, body| match (ranges.last().map(|range: &Range<'_>| range.body), body) {
        (Some(Body::Plain(before)), Body::Plain(action)) if before == action => {}
        _ if ranges.last().is_some_and(|range| range.from == from) => {
            ranges.pop();
            ranges.push(Range { from, body });
        }
        _ => ranges.push(Range { from, body }),
    };
    for (number, rule) in numbered {
        let plain = rule.cases.is_empty();
        add(number, if plain { Body::Plain(rule.otherwise) } else { Body::Cases(rule) });
        add(number + 1, Body::Plain(unlisted));
    }
    ranges
}

fn search(ranges: &[Range<'_>], terms: &Terms) -> Vec<libc::sock_filter> {
    let [range] = ranges else {
        let (lower, upper) = ranges.split_at(ranges.len() / 2);
        let mut lower_part = search(lower, terms);
        let mut program = match u8::try_from(lower_part.len()) {
            Ok(over) => vec![jump(libc::BPF_JGE, upper[0].from, over, 0)],
            Err(_) => vec![jump(libc::BPF_JGE, upper[0].from, 0, 1), skip(lower_part.len() as u32)],
        };
        program.append(&mut lower_part);
        program.append(&mut search(upper, terms));
        return program;
    };
    match range.body {
        Body::Plain(action) => vec![give(action, terms)],
        Body::Cases(rule) => {
            let mut program: Vec<_> =
                rule.cases.iter().flat_map(|(test, action)| case(*test, *action, terms)).collect();
            program.push(give(rule.otherwise, terms));
            program
        }
    }
}

fn case(test: Test, action: Action, terms: &Terms) -> Vec<libc::sock_filter> {
    let low = |argument: u8| ARGUMENTS + 8 * u32::from(argument);
    match test {
        Test::Bits { argument, mask, value } => vec![
            load(low(argument)),
            statement(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, mask),
            jump(libc::BPF_JEQ, value, 0, 1),
            give(action, terms),
        ],
        Test::IsThisProcess { argument } => {
            vec![load(low(argument)), jump(libc::BPF_JEQ, terms.process, 0, 1), give(action, terms)]
        }
        Test::IsNull { argument } => vec![
            load(low(argument)),
            jump(libc::BPF_JEQ, 0, 0, 3),
            load(low(argument) + 4),
            jump(libc::BPF_JEQ, 0, 0, 1),
            give(action, terms),
        ],
    }
}

fn give(action: Action, terms: &Terms) -> libc::sock_filter {
    let value = match action {
        Action::Allow => libc::SECCOMP_RET_ALLOW,
        Action::Fail(error) => libc::SECCOMP_RET_ERRNO | error.unsigned_abs(),
        Action::Forbid => terms.forbid,
        Action::Ask => terms.ask,
    };
    statement(libc::BPF_RET | libc::BPF_K, value)
}

fn load(offset: u32) -> libc::sock_filter {
    statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset)
}

fn skip(count: u32) -> libc::sock_filter {
    statement(libc::BPF_JMP | libc::BPF_JA, count)
}

fn statement(code: u32, k: u32) -> libc::sock_filter {
    libc::sock_filter { code: code as u16, jt: 0, jf: 0, k }
}

fn jump(comparison: u32, k: u32, jt: u8, jf: u8) -> libc::sock_filter {
    libc::sock_filter { code: (libc::BPF_JMP | comparison | libc::BPF_K) as u16, jt, jf, k }
}
