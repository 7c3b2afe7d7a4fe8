//! From a list of rules to a program for the kernel's filter machine.
//!
//! Calls are found by halving the range of numbers, not one after another, so that a call costs a few nanoseconds.

use super::calls::Machine;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Allow,
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
    Bits {
        argument: u8,
        mask: u32,
        value: u32,
    },
    IsOneOf {
        argument: u8,
        values: &'static [i32],
    },
    AtLeast {
        argument: u8,
        value: u32,
    },
    /// The argument is the number of this very process. Never true of a filter that several processes share.
    IsThisProcess {
        argument: u8,
    },
    IsNull {
        argument: u8,
    },
    /// There is no listener: the program is for one process alone.
    IsAlone,
}

/// What happens to a call where all of these conditions hold.
pub(super) type Case = (&'static [Test], Action);

/// What happens to some calls: what the first case says whose tests hold, or else `otherwise`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    /// Their names, with spaces between them.
    pub(super) calls: &'static str,
    pub(super) cases: &'static [Case],
    pub(super) otherwise: Action,
}

impl Rule {
    pub(super) fn calls(&self) -> impl Iterator<Item = &'static str> {
        self.calls.split_whitespace()
    }
}

/// What the actions are in the kernel's terms, and who gets the program.
#[derive(Clone, Copy)]
pub(super) struct Terms<'a> {
    /// Numbers that begin with `SECCOMP_RET_`.
    pub(super) answer: &'a dyn Fn(Action) -> u32,
    pub(super) unlisted: Action,
    /// The number of the only process that gets the program, if there is only one.
    pub(super) process: Option<u32>,
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
    let each = rules.iter().flat_map(|rule| rule.calls().map(move |call| (call, rule)));
    let mut numbered: Vec<_> = each.filter_map(|(call, rule)| Some((machine.number(call)?, rule))).collect();
    numbered.sort_unstable_by_key(|(number, _)| *number);
    numbered
}

/// Translates [`numbered`] rules for calls of an architecture.
pub(super) fn program(arch: u32, rules: &[(u32, &Rule)], terms: Terms<'_>) -> Vec<libc::sock_filter> {
    let mut translation = Translation { program: Backwards::default(), terms };
    let ours = translation.search(&ranges(rules, terms.unlisted));
    // Calls of another architecture have other numbers: none is listed.
    let foreign = (terms.answer)(terms.unlisted);
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
    terms: Terms<'a>,
}

impl Translation<'_> {
    /// The end of the program with an action.
    fn give(&mut self, action: Action) -> Place {
        self.program.give((self.terms.answer)(action))
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
            Test::IsOneOf { argument, values } => {
                let place = values.iter().rev().fold(otherwise, |next, value| {
                    program.branch(libc::BPF_JEQ, value.cast_unsigned(), then, next)
                });
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

/// A program that is written from its end to its beginning. Jumps go forward only, so wherever one goes is there already,
/// and what several need is written once.
#[derive(Default)]
struct Backwards {
    /// The last step first.
    steps: Vec<libc::sock_filter>,
}

/// A step, counted from the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place(usize);

impl Backwards {
    /// How many steps a jump with a condition can leave out.
    const FARTHEST: usize = u8::MAX as usize;

    fn finish(mut self) -> Vec<libc::sock_filter> {
        self.steps.reverse();
        self.steps
    }

    /// An end of the program that answers with this.
    fn give(&mut self, answer: u32) -> Place {
        let step = statement(libc::BPF_RET | libc::BPF_K, answer);
        let near = self.steps.len().saturating_sub(Self::FARTHEST);
        match self.steps[near..].iter().rposition(|other| (other.code, other.k) == (step.code, step.k)) {
            Some(at) => Place(near + at),
            None => self.push(step),
        }
    }

    /// Looks at these 32 bits of what the kernel describes the call with.
    fn load(&mut self, offset: u32, next: Place) -> Place {
        self.step(statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset), next)
    }

    /// Leaves these bits only of what is looked at.
    fn and(&mut self, mask: u32, next: Place) -> Place {
        self.step(statement(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, mask), next)
    }

    /// Goes on where a comparison with `k` says.
    fn branch(&mut self, comparison: u32, k: u32, then: Place, otherwise: Place) -> Place {
        // Bringing one of them near takes a step, which the other is farther away by.
        let then = self.near(then, 1);
        let otherwise = self.near(otherwise, 0);
        let (jt, jf) = (self.distance(then) as u8, self.distance(otherwise) as u8);
        self.push(libc::sock_filter { code: (libc::BPF_JMP | comparison | libc::BPF_K) as u16, jt, jf, k })
    }

    /// A step that `next` comes after.
    fn step(&mut self, step: libc::sock_filter, next: Place) -> Place {
        match self.distance(next) {
            0 => {}
            over => _ = self.push(statement(libc::BPF_JMP | libc::BPF_JA, over as u32)),
        }
        self.push(step)
    }

    /// A place not farther away than a jump can go, with as many steps written before the jump as `more`.
    fn near(&mut self, place: Place, more: usize) -> Place {
        match self.distance(place) + more {
            0..=Self::FARTHEST => place,
            _ => {
                let over = self.distance(place) as u32;
                self.push(statement(libc::BPF_JMP | libc::BPF_JA, over))
            }
        }
    }

    fn push(&mut self, step: libc::sock_filter) -> Place {
        self.steps.push(step);
        Place(self.steps.len() - 1)
    }

    /// Steps between the one that is written next and a place.
    fn distance(&self, place: Place) -> usize {
        self.steps.len() - 1 - place.0
    }
}

fn statement(code: u32, k: u32) -> libc::sock_filter {
    libc::sock_filter { code: code as u16, jt: 0, jf: 0, k }
}

#[cfg(test)]
mod tests {
    use super::super::calls::{AARCH64, CALLS, X86_64};
    use super::super::list;
    use super::*;
    use crate::host::sandbox::GATE;

    const ALLOWED: u32 = libc::SECCOMP_RET_ALLOW;
    const FORBIDDEN: u32 = libc::SECCOMP_RET_KILL_PROCESS;
    const ASKED: u32 = libc::SECCOMP_RET_USER_NOTIF;
    const PROCESS: u32 = 4242;
    const MACHINES: [&Machine; 2] = [&X86_64, &AARCH64];

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

    fn answer(action: Action) -> u32 {
        match action {
            Action::Allow | Action::Signal | Action::Open => ALLOWED,
            Action::Fail(error) => failed(error),
            Action::Forbid => FORBIDDEN,
            Action::Ask | Action::Judge => ASKED,
            Action::LookAtPath => failed(libc::EACCES),
            Action::LookAtFile => libc::SECCOMP_RET_TRAP,
        }
    }

    fn translate(machine: &Machine, process: Option<u32>) -> Vec<libc::sock_filter> {
        let terms = Terms { answer: &answer, unlisted: Action::Forbid, process };
        program(machine.arch, &numbered(machine, list::RULES), terms)
    }

    fn judge(machine: &Machine, process: Option<u32>, call: &str, arguments: [u64; 6]) -> u32 {
        let number = machine.number(call).unwrap_or_else(|| panic!("no call {call}"));
        run(&translate(machine, process), machine.arch, number, arguments)
    }

    /// What the rules say of a call, read as they stand.
    fn meant(rule: Option<&Rule>, process: Option<u32>, arguments: [u64; 6]) -> u32 {
        let Some(rule) = rule else { return FORBIDDEN };
        let low = |argument: u8| arguments[usize::from(argument)] as u32;
        let fits = |test: &Test| match *test {
            Test::Bits { argument, mask, value } => low(argument) & mask == value,
            Test::IsOneOf { argument, values } => values.contains(&low(argument).cast_signed()),
            Test::AtLeast { argument, value } => low(argument) >= value,
            Test::IsThisProcess { argument } => process == Some(low(argument)),
            Test::IsNull { argument } => arguments[usize::from(argument)] == 0,
            Test::IsAlone => process.is_some(),
        };
        let first = rule.cases.iter().find(|(tests, _)| tests.iter().all(fits));
        answer(first.map_or(rule.otherwise, |(_, action)| *action))
    }

    /// Values of arguments on both sides of every border that a rule has.
    fn borders(rule: Option<&Rule>) -> Vec<u64> {
        let mut values = vec![0, 1, u64::from(PROCESS), 1 << 32, u64::MAX];
        let tests = rule.iter().flat_map(|rule| rule.cases).flat_map(|(tests, _)| *tests);
        values.extend(tests.flat_map(|test| match *test {
            Test::Bits { mask, value, .. } => vec![value.into(), (value | !mask).into(), mask.into()],
            Test::IsOneOf { values, .. } => values.iter().map(|value| *value as u32 as u64).collect(),
            Test::AtLeast { value, .. } => vec![u64::from(value) - 1, value.into()],
            Test::IsThisProcess { .. } | Test::IsNull { .. } | Test::IsAlone => Vec::new(),
        }));
        values.sort_unstable();
        values.dedup();
        values
    }

    #[test]
    fn every_number_is_judged_by_its_own_rule_and_those_of_another_machine_are_forbidden() {
        for (machine, process) in MACHINES.into_iter().flat_map(|one| [(one, None), (one, Some(PROCESS))]) {
            let program = translate(machine, process);
            assert!(program.len() <= 4096, "the kernel takes no more");
            for number in (0..1000).chain([1 << 30, u32::MAX]) {
                let is_its = |rule: &&Rule| rule.calls().any(|call| machine.number(call) == Some(number));
                let rule = list::RULES.iter().find(is_its);
                assert_eq!(run(&program, !machine.arch, number, [0; 6]), FORBIDDEN, "another machine's");
                let values = borders(rule);
                for (one, other) in
                    values.iter().flat_map(|one| values.iter().map(move |other| (*one, *other)))
                {
                    for arguments in [[one, other, one, other, 0, 0], [one, other, other, other, 0, 0]] {
                        let judged = run(&program, machine.arch, number, arguments);
                        assert_eq!(judged, meant(rule, process, arguments), "{number} {arguments:x?}");
                    }
                }
            }
        }
    }

    #[test]
    fn arguments_decide_on_both_machines() {
        let (thread, fork, other) = (0x003d_0f00, libc::SIGCHLD, 7);
        let (failed, user) = (failed(libc::EPERM), 0x7000_1234);
        let cases: &[(&str, &[i64], u32)] = &[
            ("clone", &[thread], ASKED),
            ("clone", &[fork.into()], ASKED),
            ("clone3", &[0, 88], libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
            ("kill", &[other, 9], ASKED),
            ("kill", &[other, libc::SIGCONT.into()], FORBIDDEN),
            // Go's threads.
            ("tgkill", &[other, other, libc::SIGURG.into()], ALLOWED),
            ("openat", &[0, 0, libc::O_CLOEXEC.into()], ALLOWED),
            ("openat", &[0, 0, libc::O_WRONLY.into()], FORBIDDEN),
            ("openat", &[0, 0, libc::O_CREAT.into()], FORBIDDEN),
            ("mmap", &[0, 0, 3, libc::MAP_PRIVATE.into()], ALLOWED),
            ("mmap", &[0, 0, 3, (libc::MAP_SHARED | libc::MAP_ANONYMOUS).into()], failed),
            ("prlimit64", &[0, 3, 0, 1], ALLOWED),
            // Whose limits? And there is no null in the upper half.
            ("prlimit64", &[other, 3, 0, 1], ASKED),
            ("prlimit64", &[0, 3, 1 << 40, 0], ASKED),
            ("rt_sigaction", &[31, 1, 0, 8], ALLOWED),
            ("fcntl", &[1, libc::F_SETOWN.into(), 1], FORBIDDEN),
            ("fcntl", &[5, libc::F_SETFL.into(), libc::O_NONBLOCK.into()], ALLOWED),
            // Others may have the same file open.
            ("fcntl", &[1, libc::F_SETFL.into(), libc::O_NONBLOCK.into()], failed),
            ("fcntl", &[5, libc::F_SETFL.into(), libc::O_ASYNC.into()], FORBIDDEN),
            ("prctl", &[GATE.into()], ASKED),
            ("prctl", &[libc::PR_SET_PDEATHSIG.into(), libc::SIGKILL.into()], ALLOWED),
            ("prctl", &[libc::PR_SET_PDEATHSIG.into(), 0], FORBIDDEN),
            ("clock_gettime", &[1], ALLOWED),
            ("clock_gettime", &[i64::from(!7_u32 << 3 | 2)], ASKED),
            ("setresuid", &[user, user, user], ALLOWED),
            ("setresuid", &[user, user, 0], FORBIDDEN),
            ("socket", &[], FORBIDDEN),
            ("execve", &[], FORBIDDEN),
            ("seccomp", &[], FORBIDDEN),
            ("landlock_create_ruleset", &[], FORBIDDEN),
            ("setpgid", &[], FORBIDDEN),
        ];
        for (machine, (call, given, expected)) in
            MACHINES.into_iter().flat_map(|one| cases.iter().map(move |case| (one, case)))
        {
            let mut arguments = [0; 6];
            arguments.iter_mut().zip(*given).for_each(|(to, from)| *to = from.cast_unsigned());
            assert_eq!(judge(machine, None, call, arguments), *expected, "{call} {given:x?}");
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
    fn tables_are_sorted_and_every_rule_has_a_call_on_some_machine() {
        assert!(CALLS.is_sorted_by(|a, b| a.0 < b.0));
        for call in list::RULES.iter().flat_map(Rule::calls) {
            assert!(MACHINES.iter().any(|machine| machine.number(call).is_some()), "{call}");
        }
    }
}
