//! The least that the machine allows: calls, and round trips between processes that say nothing.

use crate::{Result, micros_each};
use arbiter_plugin_api::raw;
use rustix::fs::MemfdFlags;
use rustix::mm::{MapFlags, ProtFlags};
use rustix::thread::futex;
use std::os::fd::AsFd;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

/// The word under which this program answers pings.
pub(crate) const PONG: &str = "pong";

const CALLS: u32 = 10_000_000;
const PINGS: u32 = 20_000;
const STARTS: u32 = 100;
/// Pings before the clock starts.
const WARM_UP: u32 = 100;
/// Pings that are timed together.
const STRETCH: u32 = 20;
/// How often a waiting side lets others run before it sleeps, as in `host/wire.rs`.
const YIELDS: u32 = 20;

/// Microseconds a call of a loaded function.
pub(crate) fn calls(bot: &Path) -> Result<f64> {
    // SAFETY: the bot was compiled from a source of ours, which has no constructors.
    let library = unsafe { libloading::Library::new(bot) }?;
    // SAFETY: the symbol is of this type in that source.
    let entry = unsafe { library.get::<raw::EntryPoint>(raw::ENTRY_POINT.to_bytes_with_nul()) }?;
    let started = Instant::now();
    let mut tables = std::ptr::null();
    for _ in 0..CALLS {
        // SAFETY: the function takes any number.
        tables = std::hint::black_box(unsafe { entry(std::hint::black_box(raw::ABI)) });
    }
    assert!(!tables.is_null(), "the bot has a table");
    Ok(micros_each(started.elapsed(), CALLS))
}

/// Microseconds for which a copy of a small process lives that loads a bot's library and ends.
pub(crate) fn start(program: &Path, bot: &Path) -> Result<f64> {
    let output = Command::new(program).arg(bot).arg(STARTS.to_string()).output()?;
    Ok(str::from_utf8(&output.stdout)?.trim().parse()?)
}

/// Microseconds a round trip from this process to another one and back, with each of `others` in turn.
pub(crate) fn ping(others: u32) -> Result<f64> {
    let stretches = pings(others)?;
    Ok(stretches.iter().sum::<f64>() / stretches.len() as f64)
}

/// The same for each of many short stretches.
pub(crate) fn pings(others: u32) -> Result<Vec<f64>> {
    let file = rustix::fs::memfd_create(c"ping", MemfdFlags::CLOEXEC)?;
    rustix::fs::ftruncate(&file, 4096)?;
    let words = Words::map(&file)?;
    let rounds = PINGS / others + WARM_UP;
    let start = |lane: u32| -> Result<Child> {
        let mut pong = Command::new(std::env::current_exe()?);
        pong.arg(PONG).arg(lane.to_string()).arg(rounds.to_string());
        Ok(pong.stdin(Stdio::from(file.try_clone()?)).spawn()?)
    };
    let children = (0..others).map(start).collect::<Result<Vec<_>>>()?;
    let (mut started, mut stretches) = (Instant::now(), Vec::new());
    for number in 1..=rounds {
        for lane in 0..others as usize {
            words.put(2 * lane, number);
            words.wait(2 * lane + 1, number);
        }
        if number % STRETCH == 0 {
            let before = std::mem::replace(&mut started, Instant::now());
            if number > WARM_UP {
                stretches.push(micros_each(started - before, STRETCH * others));
            }
        }
    }
    for mut child in children {
        assert!(child.wait()?.success(), "the other side has answered every ping");
    }
    Ok(stretches)
}

/// The other side of a ping-pong: answers in its lane.
pub(crate) fn pong(lane: usize, rounds: u32) -> Result<()> {
    let words = Words::map(rustix::stdio::stdin())?;
    for number in 1..=rounds {
        words.wait(2 * lane, number);
        words.put(2 * lane + 1, number);
    }
    Ok(())
}

/// A word in shared memory, and whether its reader sleeps, on a cache line of their own.
#[repr(C, align(64))]
struct Word {
    value: AtomicU32,
    sleeping: AtomicU32,
}

/// The pings and pongs of all lanes.
struct Words(&'static [Word; 16]);

impl Words {
    fn map(file: impl AsFd) -> Result<Words> {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping at an address of the kernel's choice touches nothing that exists.
        let at = unsafe { rustix::mm::mmap(std::ptr::null_mut(), 4096, access, MapFlags::SHARED, file, 0) }?;
        // SAFETY: the memory is a page that is never unmapped, and any bytes are atomic words.
        Ok(Words(unsafe { &*at.cast() }))
    }

    fn put(&self, at: usize, value: u32) {
        let word = &self.0[at];
        word.value.store(value, Ordering::SeqCst);
        if word.sleeping.load(Ordering::SeqCst) != 0 {
            let _ = futex::wake(&word.value, futex::Flags::empty(), 1);
        }
    }

    fn wait(&self, at: usize, value: u32) {
        let word = &self.0[at];
        for _ in 0..YIELDS {
            if word.value.load(Ordering::SeqCst) == value {
                return;
            }
            std::thread::yield_now();
        }
        word.sleeping.store(1, Ordering::SeqCst);
        while word.value.load(Ordering::SeqCst) != value {
            let _ = futex::wait(&word.value, futex::Flags::empty(), value.wrapping_sub(1), None);
        }
        word.sleeping.store(0, Ordering::SeqCst);
    }
}
