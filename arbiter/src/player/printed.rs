//! What a player's process prints.

use crate::verdict::KEPT_OUTPUT;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

/// The end of what a process prints, written by whoever reads the process and looked at by anybody: a bot that never
/// stops printing fills no memory, and nobody who looks on can keep its reader waiting.
#[derive(Debug)]
pub struct Printed {
    most: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    end: VecDeque<u8>,
    total: u64,
}

impl Printed {
    /// Nothing yet; of what will come, so many bytes are kept.
    pub fn keeping(most: usize) -> Printed {
        Printed { most, state: Mutex::default() }
    }

    /// The process has printed more.
    pub fn add(&self, bytes: &[u8]) {
        let mut state = self.state.lock();
        state.total += bytes.len() as u64;
        state.end.extend(&bytes[bytes.len().saturating_sub(self.most)..]);
        let over = state.end.len().saturating_sub(self.most);
        state.end.drain(..over);
    }

    /// Bytes in all.
    pub fn total(&self) -> u64 {
        self.state.lock().total
    }

    /// The end of it, as reports keep it. Hostile text.
    pub fn end(&self) -> String {
        let (end, ..) = self.after(self.total().saturating_sub(KEPT_OUTPUT as u64));
        String::from_utf8_lossy(&end).into_owned()
    }

    /// What is kept of what came after so many bytes, how many are not kept any more, and how many there are in all.
    /// Hostile text.
    pub fn after(&self, seen: u64) -> (Vec<u8>, u64, u64) {
        let state = self.state.lock();
        let oldest = state.total - state.end.len() as u64;
        let from = state.end.len().min(seen.saturating_sub(oldest) as usize);
        let bytes = state.end.range(from..).copied().collect();
        (bytes, oldest.saturating_sub(seen), state.total)
    }

    /// Whether nobody else holds this: the process and whoever reads it are gone.
    pub fn is_over(self: &Arc<Printed>) -> bool {
        Arc::strong_count(self) == 1
    }
}

/// Whoever reads the process copies into this what it prints.
impl io::Write for &Printed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Default for Printed {
    fn default() -> Printed {
        Printed::keeping(KEPT_OUTPUT)
    }
}
