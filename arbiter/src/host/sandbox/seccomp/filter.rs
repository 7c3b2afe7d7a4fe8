//! From a list of rules to a program for the kernel's filter machine.

use syscalls::{aarch64, x86_64};

/// The system calls of Linux on a machine that we know.
pub(super) struct Machine {
    /// How the kernel names it.
    pub(super) arch: u32,
    pub(super) number: fn(&str) -> Option<u32>,
    pub(super) name: fn(u32) -> Option<&'static str>,
}

/// `AUDIT_ARCH_X86_64`, and `AUDIT_ARCH_AARCH64` for 64-bit ARM.
pub(super) const X86_64: Machine = Machine {
    arch: 0xc000_003e,
    number: |name| Some(name.parse::<x86_64::Sysno>().ok()?.id().cast_unsigned()),
    name: |number| Some(x86_64::Sysno::new(number as usize)?.name()),
};
pub(super) const AARCH64: Machine = Machine {
    arch: 0xc000_00b7,
    number: |name| Some(name.parse::<aarch64::Sysno>().ok()?.id().cast_unsigned()),
    name: |number| Some(aarch64::Sysno::new(number as usize)?.name()),
};

/// The machine this program was built for, if it is one that we know.
pub(super) const OURS: Option<&Machine> = if cfg!(target_arch = "x86_64") {
    Some(&X86_64)
} else if cfg!(target_arch = "aarch64") {
    Some(&AARCH64)
} else {
    None
};

/// What happens to a call. Where the supervisor is asked, our own code may make it, in the template and before the gate; what is
/// said is what bots may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::host) enum Action {
    Allow,
    Fail(i32),
    /// The bot's process is killed, and the referee learns which call it was.
    Forbid,
    /// The supervisor is asked, and forbids it. Without a listener it is forbidden.
    Ours,
    /// The supervisor is asked, and lets it fail with this error, as it does without a listener.
    OursOr(i32),
    /// By this a process tells the supervisor that it has given up its rights. Bots may not say so.
    Gate,
    /// It makes a thread. The supervisor counts them; without a listener nobody does.
    Thread,
    /// It makes a pipe. Likewise.
    Pipe,
    /// It asks about the thread whose number is in this argument. The supervisor knows the bot's own; the call fails with this
    /// error for others, and without a listener.
    OfThread(u8, i32),
    /// It asks about the clock of a process or a thread. Likewise.
    OfClock,
    /// It sends a signal, which may go to itself only. Without a listener it is forbidden.
    Signal,
    /// Likewise, but it is made without a notification where the kernel separates bots from each other.
    UrgentSignal,
    /// It opens a file to read: made where Landlock limits which; the supervisor is asked elsewhere.
    Open,
    /// It keeps others of its user from looking into the process. It fails where that would hide it from the referee too.
    Hide,
    /// It looks at a path, which Landlock does not cover.
    LookAtPath,
    /// Likewise, but a SIGSYS handler in the process opens the file and looks at that, where it may be read.
    LookAtLibrary,
    /// It looks at an open file, or at a path if one is given. A SIGSYS handler in the process finds out which.
    LookAtFile,
    /// It says which signals a thread blocks, now or in a handler. A SIGSYS handler in the process sees to it that its own is not
    /// among them.
    BlockSignals,
}

/// A condition on the lower 32 bits of an argument, which is all that the kernel looks at in these places, or on a
/// pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    /// Of this argument the bits of the first number are as in the second.
    Bits(u8, i32, i32),
    IsOneOf(u8, &'static [i32]),
    /// The argument is the number of this very process. Never true of a filter that several processes share.
    IsThisProcess(u8),
    IsNull(u8),
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

    /// What it says of a call with these arguments. `alone` is the number of the only process that gets the filter, if there is
    /// only one.
    pub(super) fn action(&self, arguments: &[u64; 6], alone: Option<u32>) -> Action {
        let low = |argument: u8| arguments[usize::from(argument)] as u32;
        let holds = |test: &Test| match *test {
            Test::Bits(argument, mask, value) => low(argument).cast_signed() & mask == value,
            Test::IsOneOf(argument, values) => values.contains(&low(argument).cast_signed()),
            Test::IsThisProcess(argument) => alone == Some(low(argument)),
            Test::IsNull(argument) => arguments[usize::from(argument)] == 0,
        };
        let first = self.cases.iter().find(|(tests, _)| tests.iter().all(holds));
        first.map_or(self.otherwise, |(_, action)| *action)
    }
}

/// Where `struct seccomp_data` has the call's number, its architecture, its arguments.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENTS: u32 = 16;

/// Translates rules for a machine. Calls that it does not have are left out, and those on no list are forbidden. `alone` is the
/// number of the only process that gets the program, if there is only one; `answer` is what the kernel calls an action.
///
/// The program is a row of pieces, one for each call, and every piece ends in an answer. Most calls never come to it: since
/// Linux 5.11 the kernel finds out by itself which ones it allows whatever their arguments are.
pub(super) fn program(
    machine: &Machine,
    rules: &[Rule],
    alone: Option<u32>,
    answer: &dyn Fn(Action) -> u32,
) -> Vec<libc::sock_filter> {
    let end = |action| statement(libc::BPF_RET | libc::BPF_K, answer(action));
    let unlisted = end(Action::Forbid);
    // Calls of another architecture have other numbers: none is listed.
    let mut program = vec![load(ARCHITECTURE), is(machine.arch, 1, 0), unlisted, load(NUMBER)];
    for rule in rules {
        let piece = piece(rule, alone, &end);
        for number in rule.calls().filter_map(machine.number) {
            program.push(is(number, 0, piece.len()));
            program.extend(&piece);
        }
    }
    program.push(unlisted);
    program
}

/// What happens to a call that a rule is about: the cases one after another, and then what happens otherwise.
fn piece(
    rule: &Rule,
    alone: Option<u32>,
    end: &dyn Fn(Action) -> libc::sock_filter,
) -> Vec<libc::sock_filter> {
    let mut piece = Vec::new();
    for (tests, action) in rule.cases {
        // From the last test to the first: each leaves out what comes after it in this case where it does not hold.
        let case = tests.iter().rev().fold(vec![end(*action)], |rest, test| {
            let mut steps = steps(*test, alone, rest.len());
            steps.extend(rest);
            steps
        });
        piece.extend(case);
    }
    piece.push(end(rule.otherwise));
    piece
}

/// Steps that go on behind them where a test holds, and leave out so many more where it does not.
fn steps(test: Test, alone: Option<u32>, rest: usize) -> Vec<libc::sock_filter> {
    match test {
        Test::Bits(argument, mask, value) => {
            let masked = statement(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, mask.cast_unsigned());
            vec![load(low(argument)), masked, is(value.cast_unsigned(), 0, rest)]
        }
        Test::IsOneOf(argument, values) => {
            let each = values.iter().enumerate().map(|(at, value)| {
                let others = values.len() - at - 1;
                let otherwise = if others == 0 { rest } else { 0 };
                is(value.cast_unsigned(), others, otherwise)
            });
            std::iter::once(load(low(argument))).chain(each).collect()
        }
        Test::IsNull(argument) => {
            let at = low(argument);
            vec![load(at), is(0, 0, rest + 2), load(at + 4), is(0, 0, rest)]
        }
        Test::IsThisProcess(argument) => match alone {
            Some(own) => vec![load(low(argument)), is(own, 0, rest)],
            None => vec![leave_out(rest)],
        },
    }
}

/// Where `struct seccomp_data` has the lower half of an argument.
fn low(argument: u8) -> u32 {
    ARGUMENTS + 8 * u32::from(argument)
}

/// Looks at these 32 bits of what the kernel describes the call with.
fn load(offset: u32) -> libc::sock_filter {
    statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset)
}

fn leave_out(steps: usize) -> libc::sock_filter {
    statement(libc::BPF_JMP | libc::BPF_JA, steps as u32)
}

/// Leaves out so many steps where what was loaded last is this number, and so many where it is not.
fn is(number: u32, then: usize, otherwise: usize) -> libc::sock_filter {
    let near = |steps: usize| u8::try_from(steps).expect("the pieces of our list are short");
    let code = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
    libc::sock_filter { code, jt: near(then), jf: near(otherwise), k: number }
}

fn statement(code: u32, k: u32) -> libc::sock_filter {
    libc::sock_filter { code: code as u16, jt: 0, jf: 0, k }
}

#[cfg(test)]
mod tests {
    use super::super::list;
    use super::*;

    const PROCESS: u32 = 4242;
    const MACHINES: [&Machine; 2] = [&X86_64, &AARCH64];

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
                0x06 => return step.k,
                code => panic!("no such instruction: {code:#x}"),
            }
        }
    }

    /// A number for each action.
    fn answer(action: Action) -> u32 {
        let name = format!("{action:?}");
        name.bytes().fold(0, |number, byte| number.wrapping_mul(31).wrapping_add(byte.into()))
    }

    /// Values of arguments on both sides of every border that a rule has.
    fn borders(rule: Option<&Rule>) -> Vec<u64> {
        let mut values = vec![0, 1, u64::from(PROCESS), 1 << 32, u64::MAX];
        let tests = rule.iter().flat_map(|rule| rule.cases).flat_map(|(tests, _)| *tests);
        values.extend(tests.flat_map(|test| match *test {
            Test::Bits(_, mask, value) => {
                [value, value | !mask, mask].map(|value| value as u32 as u64).into()
            }
            Test::IsOneOf(_, values) => values.iter().map(|value| *value as u32 as u64).collect(),
            Test::IsThisProcess(_) | Test::IsNull(_) => Vec::new(),
        }));
        values.sort_unstable();
        values.dedup();
        values
    }

    #[test]
    fn every_number_is_judged_by_its_own_rule_and_those_of_another_machine_are_forbidden() {
        for (machine, alone) in MACHINES.into_iter().flat_map(|one| [(one, None), (one, Some(PROCESS))]) {
            let program = program(machine, list::RULES, alone, &answer);
            assert!(program.len() <= 4096, "the kernel takes no more");
            for number in (0..1000).chain([1 << 30, u32::MAX]) {
                let is_its = |rule: &&Rule| rule.calls().any(|call| (machine.number)(call) == Some(number));
                let rule = list::RULES.iter().find(is_its);
                let of_another = run(&program, !machine.arch, number, [0; 6]);
                assert_eq!(of_another, answer(Action::Forbid), "another machine's");
                let values = borders(rule);
                for (one, other) in
                    values.iter().flat_map(|one| values.iter().map(move |other| (*one, *other)))
                {
                    for arguments in [[one, other, one, other, one, 0], [one, other, other, other, other, 0]]
                    {
                        let judged = run(&program, machine.arch, number, arguments);
                        let meant = rule.map_or(Action::Forbid, |rule| rule.action(&arguments, alone));
                        assert_eq!(judged, answer(meant), "{number} {arguments:x?}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_rule_is_about_calls_that_some_machine_has() {
        for call in list::RULES.iter().flat_map(Rule::calls) {
            assert!(MACHINES.iter().any(|machine| (machine.number)(call).is_some()), "{call}");
        }
    }
}
