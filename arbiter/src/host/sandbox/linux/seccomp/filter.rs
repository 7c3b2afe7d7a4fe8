//! From a list of rules to a program for the kernel's filter machine.
//!
//! Calls are found by halving the range of numbers, not one after another, so that a call costs a few nanoseconds.

use super::Machine;
use super::backwards::{Backwards, Place};

/// What happens to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// It is made.
    Allow,
    /// It fails with this error.
    Fail(i32),
    /// The bot's process is killed, and the referee learns which call it was.
    Forbid,
    /// The supervisor is asked. Without a listener it is made.
    Ask,
    /// The supervisor is asked. Without a listener it is forbidden.
    Judge,
    /// It is made where the kernel separates bots from each other; the supervisor is asked elsewhere.
    Signal,
    /// It opens a file to read: made where Landlock limits which; the supervisor is asked elsewhere.
    Open,
    /// It looks at a path, which Landlock does not cover.
    LookAtPath,
    /// It looks at an open file, or at a path if one is given. A SIGSYS handler in the process finds out which.
    LookAtFile,
}

/// A condition on the lower 32 bits of an argument, which is all that the kernel looks at in these places, or on a
/// pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    /// These bits of the argument have this value.
    Bits { argument: u8, mask: u32, value: u32 },
    /// The argument is no smaller.
    AtLeast { argument: u8, value: u32 },
    /// The argument is the number of this very process. Never true of a filter that several processes share.
    IsThisProcess { argument: u8 },
    /// The pointer is null.
    IsNull { argument: u8 },
    /// There is no listener: the program is for one process alone.
    IsAlone,
}

/// What happens to a call where all of these conditions hold.
pub(super) type Case = (&'static [Test], Action);

/// What happens to a call: what the first case says whose tests hold, or else `otherwise`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    pub(super) call: &'static str,
    pub(super) cases: &'static [Case],
    pub(super) otherwise: Action,
}

/// What the actions are in the kernel's terms: numbers that begin with `SECCOMP_RET_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Terms {
    pub(super) forbid: u32,
    pub(super) ask: u32,
    pub(super) judge: u32,
    pub(super) signal: u32,
    pub(super) open: u32,
    pub(super) look_at_path: u32,
    pub(super) look_at_file: u32,
    /// For calls without a rule.
    pub(super) unlisted: Action,
    /// The number of the only process that gets the program, if there is only one.
    pub(super) process: Option<u32>,
}

impl Terms {
    fn answer(&self, action: Action) -> u32 {
        match action {
            Action::Allow => libc::SECCOMP_RET_ALLOW,
            Action::Fail(error) => libc::SECCOMP_RET_ERRNO | error.unsigned_abs(),
            Action::Forbid => self.forbid,
            Action::Ask => self.ask,
            Action::Judge => self.judge,
            Action::Signal => self.signal,
            Action::Open => self.open,
            Action::LookAtPath => self.look_at_path,
            Action::LookAtFile => self.look_at_file,
        }
    }
}

/// Where `struct seccomp_data` has the call's number, its architecture, its arguments.
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
pub(super) fn program(arch: u32, rules: &[(u32, &Rule)], terms: &Terms) -> Vec<libc::sock_filter> {
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
        for (tests, action) in rule.cases.iter().rev() {
            let mut then = self.give(*action);
            for test in tests.iter().rev() {
                then = self.test(*test, then, next);
            }
            next = then;
        }
        next
    }

    /// Goes on where a test says.
    fn test(&mut self, test: Test, then: Place, otherwise: Place) -> Place {
        let program = &mut self.program;
        match test {
            Test::Bits { argument, mask, value } => {
                let mut place = program.branch(libc::BPF_JEQ, value, then, otherwise);
                if mask != u32::MAX {
                    place = program.and(mask, place);
                }
                program.load(low(argument), place)
            }
            Test::AtLeast { argument, value } => {
                let place = program.branch(libc::BPF_JGE, value, then, otherwise);
                program.load(low(argument), place)
            }
            Test::IsThisProcess { argument } => match self.terms.process {
                Some(number) => {
                    let place = program.branch(libc::BPF_JEQ, number, then, otherwise);
                    program.load(low(argument), place)
                }
                None => otherwise,
            },
            Test::IsAlone if self.terms.process.is_some() => then,
            Test::IsAlone => otherwise,
            Test::IsNull { argument } => {
                let upper = program.branch(libc::BPF_JEQ, 0, then, otherwise);
                let upper = program.load(low(argument) + 4, upper);
                let lower = program.branch(libc::BPF_JEQ, 0, upper, otherwise);
                program.load(low(argument), lower)
            }
        }
    }
}

/// Where `struct seccomp_data` has the lower half of an argument.
fn low(argument: u8) -> u32 {
    ARGUMENTS + 8 * u32::from(argument)
}

#[cfg(test)]
mod tests {
    use super::super::{aarch64, list, x86_64};
    use super::*;
    use crate::host::sandbox::GATE;

    const ALLOWED: u32 = libc::SECCOMP_RET_ALLOW;
    const FORBIDDEN: u32 = libc::SECCOMP_RET_KILL_PROCESS;
    const ASKED: u32 = libc::SECCOMP_RET_USER_NOTIF;
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

    fn terms(process: Option<u32>) -> Terms {
        Terms {
            forbid: FORBIDDEN,
            ask: ASKED,
            judge: ASKED,
            signal: ALLOWED,
            open: ALLOWED,
            look_at_path: failed(libc::EACCES),
            look_at_file: libc::SECCOMP_RET_TRAP,
            unlisted: Action::Forbid,
            process,
        }
    }

    fn translate(machine: &Machine, process: Option<u32>) -> Vec<libc::sock_filter> {
        program(machine.arch, &numbered(machine, list::CALLS), &terms(process))
    }

    fn judge(machine: &Machine, process: Option<u32>, call: &str, arguments: [u64; 6]) -> u32 {
        let number = machine.number(call).unwrap_or_else(|| panic!("no call {call}"));
        run(&translate(machine, process), machine.arch, number, arguments)
    }

    #[test]
    fn every_number_is_judged_by_its_own_rule() {
        for machine in MACHINES {
            let program = translate(machine, None);
            assert!(program.len() <= 4096, "the kernel takes no more");
            for number in (0..1000).chain([1 << 30, u32::MAX]) {
                let rule = list::CALLS.iter().find(|rule| machine.number(rule.call) == Some(number));
                let expected = match rule {
                    Some(rule) if rule.cases.is_empty() => terms(None).answer(rule.otherwise),
                    Some(_) => continue,
                    None => FORBIDDEN,
                };
                assert_eq!(run(&program, machine.arch, number, [0; 6]), expected, "{number}");
            }
        }
    }

    /// What the rules say of a call, read as they stand.
    fn meant(rule: &Rule, process: Option<u32>, arguments: [u64; 6]) -> u32 {
        let low = |argument: u8| arguments[usize::from(argument)] as u32;
        let fits = |test: &Test| match *test {
            Test::Bits { argument, mask, value } => low(argument) & mask == value,
            Test::AtLeast { argument, value } => low(argument) >= value,
            Test::IsThisProcess { argument } => process == Some(low(argument)),
            Test::IsNull { argument } => arguments[usize::from(argument)] == 0,
            Test::IsAlone => process.is_some(),
        };
        let first = rule.cases.iter().find(|(tests, _)| tests.iter().all(fits));
        terms(process).answer(first.map_or(rule.otherwise, |(_, action)| *action))
    }

    #[test]
    fn every_case_of_every_rule_is_judged_as_it_is_written() {
        for (machine, process) in MACHINES.into_iter().flat_map(|one| [(one, None), (one, Some(PROCESS))]) {
            let program = translate(machine, process);
            for rule in list::CALLS {
                let Some(number) = machine.number(rule.call) else { continue };
                let mut values = vec![0, 1, u64::from(PROCESS), 1 << 32, u64::MAX];
                let tests = rule.cases.iter().flat_map(|(tests, _)| *tests);
                values.extend(tests.flat_map(|test| match *test {
                    Test::Bits { mask, value, .. } => [value.into(), (value | !mask).into(), mask.into()],
                    Test::AtLeast { value, .. } => [u64::from(value) - 1, value.into(), 0],
                    Test::IsThisProcess { .. } | Test::IsNull { .. } | Test::IsAlone => [0; 3],
                }));
                values.sort_unstable();
                values.dedup();
                for one in &values {
                    for other in &values {
                        for arguments in
                            [[*one, *other, *one, *other, 0, 0], [*one, *other, *other, *other, 0, 0]]
                        {
                            let judged = run(&program, machine.arch, number, arguments);
                            let meant = meant(rule, process, arguments);
                            assert_eq!(judged, meant, "{} {arguments:x?}", rule.call);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn arguments_decide_on_both_machines() {
        let (thread, fork) = (0x003d_0f00, libc::SIGCHLD as u64);
        let (gate, other) = (u64::from(GATE), 7);
        for machine in MACHINES {
            let judge = |call, arguments| judge(machine, None, call, arguments);
            assert_eq!(judge("clone", [thread, 0, 0, 0, 0, 0]), ASKED);
            assert_eq!(judge("clone", [fork, 0, 0, 0, 0, 0]), ASKED);
            assert_eq!(judge("clone3", [0, 88, 0, 0, 0, 0]), failed(libc::ENOSYS));
            assert_eq!(judge("kill", [other, 9, 0, 0, 0, 0]), ASKED);
            assert_eq!(judge("kill", [other, libc::SIGCONT as u64, 0, 0, 0, 0]), FORBIDDEN);
            assert_eq!(
                judge("tgkill", [other, other, libc::SIGURG as u64, 0, 0, 0]),
                ALLOWED,
                "Go's threads"
            );
            assert_eq!(judge("openat", [0, 0, libc::O_CLOEXEC as u64, 0, 0, 0]), ALLOWED);
            assert_eq!(judge("openat", [0, 0, libc::O_WRONLY as u64, 0, 0, 0]), FORBIDDEN);
            assert_eq!(judge("openat", [0, 0, libc::O_CREAT as u64, 0, 0, 0]), FORBIDDEN);
            let anonymous = (libc::MAP_SHARED | libc::MAP_ANONYMOUS) as u64;
            assert_eq!(judge("mmap", [0, 0, 3, libc::MAP_PRIVATE as u64, 0, 0]), ALLOWED);
            assert_eq!(judge("mmap", [0, 0, 3, anonymous, 0, 0]), failed(libc::EPERM));
            assert_eq!(judge("prlimit64", [0, 3, 0, 1, 0, 0]), ALLOWED);
            assert_eq!(judge("prlimit64", [other, 3, 0, 1, 0, 0]), ASKED, "whose limits?");
            assert_eq!(judge("prlimit64", [0, 3, 1 << 40, 0, 0, 0]), ASKED, "no null in its upper half");
            assert_eq!(judge("rt_sigaction", [31, 1, 0, 8, 0, 0]), ALLOWED);
            assert_eq!(judge("fcntl", [1, libc::F_SETOWN as u64, 1, 0, 0, 0]), FORBIDDEN);
            let set = |file, flags| judge("fcntl", [file, libc::F_SETFL as u64, flags as u64, 0, 0, 0]);
            assert_eq!(set(5, libc::O_NONBLOCK), ALLOWED);
            assert_eq!(set(1, libc::O_NONBLOCK), failed(libc::EPERM), "others may have the same file open");
            assert_eq!(set(5, libc::O_ASYNC), FORBIDDEN);
            assert_eq!(judge("prctl", [gate, 0, 0, 0, 0, 0]), ASKED);
            let (death, kill) = (libc::PR_SET_PDEATHSIG as u64, libc::SIGKILL as u64);
            assert_eq!(judge("prctl", [death, kill, 0, 0, 0, 0]), ALLOWED);
            assert_eq!(judge("prctl", [death, 0, 0, 0, 0, 0]), FORBIDDEN);
            assert_eq!(judge("clock_gettime", [1, 0, 0, 0, 0, 0]), ALLOWED);
            assert_eq!(judge("clock_gettime", [u64::from(!7_u32 << 3 | 2), 0, 0, 0, 0, 0]), ASKED);
            let user = 0x7000_1234;
            assert_eq!(judge("setresuid", [user, user, user, 0, 0, 0]), ALLOWED);
            assert_eq!(judge("setresuid", [user, user, 0, 0, 0, 0]), FORBIDDEN);
            for call in ["socket", "execve", "seccomp", "landlock_create_ruleset", "setpgid"] {
                assert_eq!(judge(call, [0; 6]), FORBIDDEN, "{call}");
            }
        }
    }

    #[test]
    fn a_filter_of_one_process_knows_its_number() {
        for machine in MACHINES {
            let judge = |call, arguments| judge(machine, Some(PROCESS), call, arguments);
            let own = u64::from(PROCESS);
            assert_eq!(judge("rt_sigaction", [31, 1, 0, 8, 0, 0]), failed(libc::EPERM));
            assert_eq!(judge("rt_sigaction", [31, 0, 1, 8, 0, 0]), ALLOWED);
            assert_eq!(judge("kill", [own, 9, 0, 0, 0, 0]), ALLOWED);
            assert_eq!(judge("kill", [own | 1 << 40, 9, 0, 0, 0, 0]), ALLOWED, "the kernel sees 32 bits too");
            assert_eq!(judge("kill", [u64::MAX, 9, 0, 0, 0, 0]), ASKED);
        }
    }

    #[test]
    fn the_calls_of_another_machine_are_forbidden() {
        let [x86, arm] = MACHINES;
        let program = translate(x86, None);
        assert_eq!(run(&program, arm.arch, x86.number("read").unwrap(), [0; 6]), FORBIDDEN);
    }

    #[test]
    fn tables_are_sorted_and_every_rule_has_a_call_on_some_machine() {
        for machine in MACHINES {
            assert!(machine.calls.is_sorted_by(|a, b| a.0 < b.0));
        }
        for rule in list::CALLS {
            assert!(MACHINES.iter().any(|machine| machine.number(rule.call).is_some()), "{}", rule.call);
        }
    }
}
