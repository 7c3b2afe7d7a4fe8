//! Which files a bot may read: system libraries, and none where the kernel cannot tell them apart.

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
};
use std::io;
use std::path::PathBuf;

/// The newest version of Landlock that is asked for; older kernels give what they have.
const NEWEST: ABI = ABI::V6;
/// Where libraries are on the systems we know.
const LIBRARIES: [&str; 9] = [
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/local/lib",
    "/nix/store",
    "/etc/ld.so.cache",
];

/// The version of Landlock's ABI, where the kernel has it.
pub(in super::super::super) fn version() -> Option<u32> {
    const GET_VERSION: libc::c_uint = 1;
    // SAFETY: with this flag the call reads nothing and gives a number.
    let version = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0_usize, GET_VERSION)
    };
    u32::try_from(version).ok().filter(|&version| version > 0)
}

/// The version that keeps processes from sending signals to those outside.
pub(super) const SCOPES_SIGNALS: u32 = 6;

/// Files that may be read, and nothing else. Each process that restricts itself gets a Landlock domain of its own, from
/// which it can send signals to no other, where the kernel has that.
pub(super) struct Files(RulesetCreated);

impl Files {
    /// Those below the folders for libraries.
    pub(super) fn libraries() -> io::Result<Files> {
        let read = AccessFs::ReadFile | AccessFs::ReadDir;
        let rules = path_beneath_rules(library_folders(), read);
        let ruleset = || -> Result<RulesetCreated, RulesetError> {
            Ruleset::default()
                .set_compatibility(CompatLevel::BestEffort)
                .handle_access(AccessFs::from_all(NEWEST))?
                .handle_access(AccessNet::from_all(NEWEST))?
                .scope(Scope::from_all(NEWEST))?
                .create()?
                .no_new_privs(false)
                .add_rules(rules)
        };
        ruleset().map(Files).map_err(io::Error::other)
    }

    /// Leaves this process nothing else, as far as the kernel can keep it to that. It can gain no privileges already.
    pub(super) fn restrict(self) -> io::Result<()> {
        self.0.restrict_self().map(drop).map_err(io::Error::other)
    }
}

/// The system's, and those that the user has named for the loader.
fn library_folders() -> impl Iterator<Item = PathBuf> {
    let named = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let named: Vec<PathBuf> = std::env::split_paths(&named).filter(|path| path.is_absolute()).collect();
    LIBRARIES.into_iter().map(PathBuf::from).chain(named)
}
