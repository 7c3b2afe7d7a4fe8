//! From a list of rules to a program for the kernel's filter machine.
//!
//! Calls are found by halving the range of numbers, not one after another: the kernel runs the program once for every
//! number when it is installed, to learn which calls need no run at all. What is left to run costs a few nanoseconds.

use super::Machine;
use super::backwards::{Backwards, Place, Program};

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

impl Test {
    /// Whether both compare the same bits of the same argument.
    fn looks_where(&self, other: &Test) -> bool {
        match (self, other) {
            (
                Test::Bits { argument, mask, .. },
                Test::Bits { argument: other_argument, mask: other_mask, .. },
            ) => (argument, mask) == (other_argument, other_mask),
            _ => false,
        }
    }
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
}

impl Terms {
    fn answer(&self, action: Action) -> u32 {
        match action {
            Action::Allow => libc::SECCOMP_RET_ALLOW,
            Action::Fail(error) => libc::SECCOMP_RET_ERRNO | error.unsigned_abs(),
            Action::Forbid => self.forbid,
            Action::Ask => self.ask,
        }
    }
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

/// Rules with the numbers of their calls on a machine, sorted. Calls that the machine does not have are left out.
pub(super) fn numbered(machine: &Machine, rules: &'static [Rule]) -> Vec<(u32, &'static Rule)> {
    let mut numbered: Vec<_> =
        rules.iter().filter_map(|rule| Some((machine.number(rule.call)?, rule))).collect();
    numbered.sort_unstable_by_key(|(number, _)| *number);
    numbered
}

/// Translates [`numbered`] rules for calls of an architecture.
pub(super) fn program(arch: u32, rules: &[(u32, &Rule)], terms: &Terms) -> Program {
    let mut translation = Translation { program: Backwards::default(), terms };
    let ours = translation.search(&ranges(rules, terms.unlisted));
    // Calls of another architecture have other numbers: none is listed.
    let foreign = terms.answer(terms.unlisted);
    let mut program = translation.program;
    let ours = program.load(NUMBER, ours);
    let foreign = program.give(foreign);
    let judge = program.branch(libc::BPF_JEQ, arch, ours, foreign);
    program.load(ARCHITECTURE, judge);
    program.finish()
}

fn ranges<'a>(rules: &[(u32, &'a Rule)], unlisted: Action) -> Vec<Range<'a>> {
    let mut ranges = vec![Range { from: 0, body: Body::Plain(unlisted) }];
    let mut add = |from, body| match (ranges.last().map(|range: &Range<'_>| range.body), body) {
        (Some(Body::Plain(before)), Body::Plain(action)) if before == action => {}
        _ if ranges.last().is_some_and(|range| range.from == from) => {
            ranges.pop();
            ranges.push(Range { from, body });
        }
        _ => ranges.push(Range { from, body }),
    };
    for (number, rule) in rules {
        let plain = rule.cases.is_empty();
        add(*number, if plain { Body::Plain(rule.otherwise) } else { Body::Cases(rule) });
        add(number + 1, Body::Plain(unlisted));
    }
    ranges
}

/// The program as it is written, and what its actions mean.
struct Translation<'a> {
    program: Backwards,
    terms: &'a Terms,
}

impl Translation<'_> {
    /// The end of the program with an action.
    fn give(&mut self, action: Action) -> Place {
        self.program.give(self.terms.answer(action))
    }

    fn search(&mut self, ranges: &[Range<'_>]) -> Place {
        let [range] = ranges else {
            let (lower, upper) = ranges.split_at(ranges.len() / 2);
            let then = self.search(upper);
            let otherwise = self.search(lower);
            return self.program.branch(libc::BPF_JGE, upper[0].from, then, otherwise);
        };
        match range.body {
            Body::Plain(action) => self.give(action),
            Body::Cases(rule) => self.cases(rule),
        }
    }

    fn cases(&mut self, rule: &Rule) -> Place {
        let mut next = self.give(rule.otherwise);
        // Tests of the same bits, one after another, look at them once.
        for tests in rule.cases.chunk_by(|(one, _), (next, _)| one.looks_where(next)).rev() {
            let (first, action) = tests[0];
            match first {
                Test::Bits { argument, mask, .. } => {
                    for (test, action) in tests.iter().rev() {
                        if let Test::Bits { value, .. } = test {
                            let then = self.give(*action);
                            next = self.program.branch(libc::BPF_JEQ, *value, then, next);
                        }
                    }
                    if mask != u32::MAX {
                        next = self.program.and(mask, next);
                    }
                    next = self.program.load(low(argument), next);
                }
                Test::IsThisProcess { argument } => {
                    let then = self.give(action);
                    next = self.program.branch_for_process(then, next);
                    next = self.program.load(low(argument), next);
                }
                Test::IsNull { argument } => {
                    let then = self.give(action);
                    let upper = self.program.branch(libc::BPF_JEQ, 0, then, next);
                    let upper = self.program.load(low(argument) + 4, upper);
                    let lower = self.program.branch(libc::BPF_JEQ, 0, upper, next);
                    next = self.program.load(low(argument), lower);
                }
            }
        }
        next
    }
}

/// Where the kernel's description has the lower half of an argument.
fn low(argument: u8) -> u32 {
    ARGUMENTS + 8 * u32::from(argument)
}

#[cfg(test)]
mod tests {
    use super::super::{aarch64, list, x86_64};
    use super::*;

    const ALLOWED: u32 = libc::SECCOMP_RET_ALLOW;
    const FORBIDDEN: u32 = libc::SECCOMP_RET_USER_NOTIF;
    const ASKED: u32 = libc::SECCOMP_RET_TRAP;
    const PROCESS: u32 = 4242;
    const MACHINES: [&Machine; 2] = [&x86_64::MACHINE, &aarch64::MACHINE];

    const fn failed(error: i32) -> u32 {
        libc::SECCOMP_RET_ERRNO | error as u32
    }

    /// What a program answers, as the kernel would run it.
    fn run(program: &[libc::sock_filter], arch: u32, number: u32, arguments: [u64; 6]) -> u32 {
        let mut data = vec![number, arch, 0, 0];
        data.extend(arguments.iter().flat_map(|argument| [*argument as u32, (argument >> 32) as u32]));
        let (mut at, mut register) = (0, 0);
        loop {
            let step = program[at];
            at += 1;
            let goes = |condition: bool| usize::from(if condition { step.jt } else { step.jf });
            match u32::from(step.code) {
                0x20 => register = data[step.k as usize / 4],
                0x54 => register &= step.k,
                0x05 => at += step.k as usize,
                0x15 => at += goes(register == step.k),
                0x35 => at += goes(register >= step.k),
                0x06 => return step.k,
                code => panic!("no such instruction: {code:#x}"),
            }
        }
    }

    fn terms(unlisted: Action) -> Terms {
        Terms { forbid: FORBIDDEN, ask: ASKED, unlisted }
    }

    fn translate(machine: &Machine, rules: &'static [Rule], unlisted: Action) -> Vec<libc::sock_filter> {
        program(machine.arch, &numbered(machine, rules), &terms(unlisted)).of_process(PROCESS)
    }

    fn loading(machine: &Machine, call: &str, arguments: [u64; 6]) -> u32 {
        let program = translate(machine, list::LOAD, Action::Forbid);
        let number = machine.number(call).unwrap_or_else(|| panic!("no call {call}"));
        run(&program, machine.arch, number, arguments)
    }

    #[test]
    fn every_number_is_judged_by_its_own_rule() {
        for machine in MACHINES {
            for (rules, unlisted) in [(list::LOAD, Action::Forbid), (list::PLAY, Action::Allow)] {
                let program = translate(machine, rules, unlisted);
                assert!(program.len() <= 4096, "the kernel takes no more");
                for number in (0..1000).chain([1 << 30, u32::MAX]) {
                    let rule = rules.iter().find(|rule| machine.number(rule.call) == Some(number));
                    let Some(rule) = rule.filter(|rule| rule.cases.is_empty()) else {
                        continue;
                    };
                    let expected = terms(unlisted).answer(rule.otherwise);
                    assert_eq!(run(&program, machine.arch, number, [0; 6]), expected, "{}", rule.call);
                }
                let unlisted = terms(unlisted).answer(unlisted);
                for number in (0..1000).chain([1 << 30, u32::MAX]) {
                    if rules.iter().all(|rule| machine.number(rule.call) != Some(number)) {
                        assert_eq!(run(&program, machine.arch, number, [0; 6]), unlisted, "{number}");
                    }
                }
            }
        }
    }

    /// What the rules say of a call, read as they stand.
    fn meant(rule: &Rule, arguments: [u64; 6]) -> u32 {
        let low = |argument: u8| arguments[usize::from(argument)] as u32;
        let fits = |test: &Test| match *test {
            Test::Bits { argument, mask, value } => low(argument) & mask == value,
            Test::IsThisProcess { argument } => low(argument) == PROCESS,
            Test::IsNull { argument } => arguments[usize::from(argument)] == 0,
        };
        let first = rule.cases.iter().find(|(test, _)| fits(test));
        terms(rule.otherwise).answer(first.map_or(rule.otherwise, |(_, action)| *action))
    }

    #[test]
    fn every_case_of_every_rule_is_judged_as_it_is_written() {
        for (machine, rules, unlisted) in MACHINES
            .into_iter()
            .flat_map(|machine| [(machine, list::LOAD, Action::Forbid), (machine, list::PLAY, Action::Allow)])
        {
            let program = translate(machine, rules, unlisted);
            for rule in rules {
                let Some(number) = machine.number(rule.call) else { continue };
                let mut values = vec![0, 1, u64::from(PROCESS), 1 << 32, u64::MAX];
                values.extend(rule.cases.iter().flat_map(|(test, _)| match *test {
                    Test::Bits { mask, value, .. } => [value.into(), (value | !mask).into(), mask.into()],
                    Test::IsThisProcess { .. } | Test::IsNull { .. } => [0; 3],
                }));
                for one in &values {
                    for other in &values {
                        let arguments = [*one, *other, *one, *other, 0, 0];
                        let judged = run(&program, machine.arch, number, arguments);
                        assert_eq!(judged, meant(rule, arguments), "{} {arguments:x?}", rule.call);
                    }
                }
            }
        }
    }

    #[test]
    fn arguments_decide_on_both_machines() {
        let (thread, process) = (0x003d_0f00, libc::SIGCHLD as u64);
        let own = u64::from(PROCESS);
        for machine in MACHINES {
            let judge = |call, arguments| loading(machine, call, arguments);
            assert_eq!(judge("clone", [thread, 0, 0, 0, 0, 0]), ASKED);
            assert_eq!(judge("clone", [process, 0, 0, 0, 0, 0]), FORBIDDEN);
            assert_eq!(judge("clone", [thread | libc::CLONE_NEWUSER as u64, 0, 0, 0, 0, 0]), FORBIDDEN);
            assert_eq!(judge("clone3", [0; 6]), failed(libc::ENOSYS));
            assert_eq!(judge("kill", [own, 9, 0, 0, 0, 0]), ALLOWED);
            assert_eq!(judge("kill", [own | 1 << 40, 9, 0, 0, 0, 0]), ALLOWED, "the kernel sees 32 bits too");
            assert_eq!(judge("kill", [u64::MAX, 9, 0, 0, 0, 0]), FORBIDDEN);
            assert_eq!(judge("openat", [0, 0, libc::O_CLOEXEC as u64, 0, 0, 0]), ALLOWED);
            assert_eq!(judge("openat", [0, 0, libc::O_WRONLY as u64, 0, 0, 0]), FORBIDDEN);
            assert_eq!(judge("openat", [0, 0, libc::O_CREAT as u64, 0, 0, 0]), FORBIDDEN);
            assert_eq!(judge("mmap", [0, 0, 3, libc::MAP_PRIVATE as u64, 0, 0]), ALLOWED);
            assert_eq!(judge("mmap", [0, 0, 3, libc::MAP_SHARED as u64, 0, 0]), failed(libc::EPERM));
            assert_eq!(judge("prlimit64", [0, 3, 0, 1, 0, 0]), ALLOWED);
            assert_eq!(judge("prlimit64", [0, 3, 1 << 40, 0, 0, 0]), FORBIDDEN, "no null in its upper half");
            assert_eq!(judge("rt_sigaction", [31, 1, 0, 8, 0, 0]), failed(libc::EPERM));
            assert_eq!(judge("rt_sigaction", [31, 0, 1, 8, 0, 0]), ALLOWED);
            assert_eq!(judge("fcntl", [1, libc::F_SETOWN as u64, 1, 0, 0, 0]), FORBIDDEN);
            assert_eq!(judge("fcntl", [1, libc::F_SETFL as u64, libc::O_NONBLOCK as u64, 0, 0, 0]), ALLOWED);
            assert_eq!(judge("fcntl", [1, libc::F_SETFL as u64, libc::O_ASYNC as u64, 0, 0, 0]), FORBIDDEN);
            assert_eq!(judge("socket", [0; 6]), FORBIDDEN);
            assert_eq!(judge("execve", [0; 6]), FORBIDDEN);
        }
    }

    #[test]
    fn the_calls_of_another_machine_are_forbidden() {
        let [x86, arm] = MACHINES;
        let program = translate(x86, list::LOAD, Action::Forbid);
        assert_eq!(run(&program, arm.arch, x86.number("read").unwrap(), [0; 6]), FORBIDDEN);
    }

    #[test]
    fn in_play_files_cannot_be_read_and_what_was_forbidden_stays_so() {
        for machine in MACHINES {
            let program = translate(machine, list::PLAY, Action::Allow);
            let openat = machine.number("openat").unwrap();
            let with = |flags: i32| run(&program, machine.arch, openat, [0, 0, flags as u64, 0, 0, 0]);
            assert_eq!(with(libc::O_RDONLY), failed(libc::EACCES));
            assert_eq!(with(libc::O_WRONLY), ALLOWED, "the other filter forbids it");
        }
    }

    #[test]
    fn tables_are_sorted_and_every_rule_has_a_call_on_some_machine() {
        for machine in MACHINES {
            assert!(machine.calls.is_sorted_by(|a, b| a.0 < b.0));
        }
        for rule in list::LOAD.iter().chain(list::PLAY) {
            assert!(MACHINES.iter().any(|machine| machine.number(rule.call).is_some()), "{}", rule.call);
        }
    }
}
