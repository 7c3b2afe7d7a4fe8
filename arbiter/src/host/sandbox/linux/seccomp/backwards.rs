//! Programs for the kernel's filter machine, written from their end to their beginning.
//!
//! Jumps go forward only. So wherever one goes is there already, and what several need is written once.

/// A program that is being written.
#[derive(Default)]
pub(super) struct Backwards {
    /// The last step first.
    steps: Vec<libc::sock_filter>,
}

/// A step, counted from the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place(usize);

impl Backwards {
    /// How many steps a jump with a condition can leave out.
    const FARTHEST: usize = u8::MAX as usize;

    /// The whole program.
    pub(super) fn finish(mut self) -> Vec<libc::sock_filter> {
        self.steps.reverse();
        self.steps
    }

    /// An end of the program that answers with this.
    pub(super) fn give(&mut self, answer: u32) -> Place {
        let step = statement(libc::BPF_RET | libc::BPF_K, answer);
        let near = self.steps.len().saturating_sub(Self::FARTHEST);
        match self.steps[near..].iter().rposition(|other| (other.code, other.k) == (step.code, step.k)) {
            Some(at) => Place(near + at),
            None => self.push(step),
        }
    }

    /// Looks at these 32 bits of what the kernel describes the call with.
    pub(super) fn load(&mut self, offset: u32, next: Place) -> Place {
        self.step(statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset), next)
    }

    /// Leaves these bits only of what is looked at.
    pub(super) fn and(&mut self, mask: u32, next: Place) -> Place {
        self.step(statement(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, mask), next)
    }

    /// Goes on where a comparison with `k` says.
    pub(super) fn branch(&mut self, comparison: u32, k: u32, then: Place, otherwise: Place) -> Place {
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
