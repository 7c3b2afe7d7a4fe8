//! The system calls of Linux on the machines that we know.

use syscalls::{aarch64, x86_64};

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
