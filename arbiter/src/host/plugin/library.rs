//! Looking at a plugin file without running anything of it.
//!
//! The system's own loader explains little: it calls a library for another processor "no such file", and a file that is
//! cut short crashes the process. So everything that the file alone shows is checked here.

use super::LoadError;
use crate::host::payload::sha256;
use arbiter_plugin_api::{bridge, raw};
use object::elf;
use object::read::elf::{FileHeader, ProgramHeader};
use object::{Architecture, FileKind, Object, ObjectKind, ObjectSymbol};
use std::collections::HashSet;

/// ELF files of other than 64 bits are for other machines than ours.
type Header = elf::FileHeader64<object::Endianness>;

/// Bytes of an unknown file that are looked at to say what it is.
const GLIMPSE: usize = 512;

/// What a plugin file shows without being run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// Bytes in the file.
    pub size: u64,
    /// The symbols that it exports, sorted.
    pub exports: Vec<String>,
    /// The libraries that it needs, in its own order.
    pub needed: Vec<String>,
    /// The versions of them that it needs, where it says so: `libc.so.6` and `GLIBC_2.34`.
    pub versions: Vec<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::host) enum Purpose {
    Bot,
    /// It lets bots play that are no libraries.
    Bridge,
}

pub(in crate::host) fn look_at(data: &[u8], purpose: Purpose) -> Result<Look, LoadError> {
    let library = parse(data)?;
    let exports = exports(&library)?;
    if purpose == Purpose::Bot {
        find_entry_point(&library, &exports)?;
    } else if !exports.iter().any(|export| export.as_bytes() == bridge::ENTRY_POINT.to_bytes()) {
        return Err(LoadError::NoEntryPoint);
    }
    // They are only shown to people. If their table makes no sense, the loader will refuse it.
    let versions = versions(data).unwrap_or_default();
    let sha256 = sha256(data);
    Ok(Look { sha256, size: data.len() as u64, exports, needed: needed(&library)?, versions })
}

/// Reads the file's tables, after making sure that it is a library for this system and machine, and whole.
fn parse(data: &[u8]) -> Result<object::File<'_>, LoadError> {
    let (smallest, found) = (size_of::<Header>() as u64, data.len() as u64);
    if data.starts_with(&elf::ELFMAG) && found < smallest {
        return Err(LoadError::CutShort { needed: smallest, found });
    }
    let kind = FileKind::parse(data).map_err(|_| LoadError::NotALibrary(kind_of_file(data)))?;
    let (found, ours) = (system_of(kind), system_of_ours());
    if found != ours {
        return Err(LoadError::OtherSystem { found: found.to_owned(), ours: ours.to_owned() });
    }
    if kind == FileKind::Elf64 {
        check_elf(data)?;
    }
    let file = object::File::parse(data).map_err(damaged)?;
    if file.architecture() != our_architecture() || file.is_little_endian() != cfg!(target_endian = "little")
    {
        let found = architecture_name(file.architecture(), file.is_64());
        let ours = architecture_name(our_architecture(), cfg!(target_pointer_width = "64"));
        return Err(LoadError::OtherMachine { found, ours });
    }
    match file.kind() {
        ObjectKind::Dynamic => Ok(file),
        ObjectKind::Relocatable => Err(LoadError::NotALibrary("an object file".to_owned())),
        ObjectKind::Executable => Err(LoadError::NotALibrary("a program".to_owned())),
        other => Err(LoadError::NotALibrary(format!("an object of the kind {other:?}"))),
    }
}

/// Checks that the file is as long as its own headers say. The loader does not, and would crash.
fn check_elf(data: &[u8]) -> Result<(), LoadError> {
    let found = data.len() as u64;
    let cut = |needed: u64| if needed > found { Err(LoadError::CutShort { needed, found }) } else { Ok(()) };
    let header = Header::parse(data).map_err(damaged)?;
    let endian = header.endian().map_err(damaged)?;
    let table =
        |offset: u64, count: u16, size: u16| offset.saturating_add(u64::from(count) * u64::from(size));
    let (headers, size) = (header.e_phoff(endian), header.e_phentsize(endian));
    cut(table(headers, header.e_phnum(endian), size))?;
    for segment in header.program_headers(endian, data).map_err(damaged)? {
        if segment.p_type(endian) == elf::PT_LOAD {
            cut(segment.p_offset(endian).saturating_add(segment.p_filesz(endian)))?;
        }
    }
    cut(table(header.e_shoff(endian), header.e_shnum(endian), header.e_shentsize(endian)))
}

/// The symbols that a library exports. What C++ instantiates of its standard library is left out: it has default visibility
/// whatever the compiler is told, and is weak.
fn exports(library: &object::File<'_>) -> Result<Vec<String>, LoadError> {
    let weak = library.dynamic_symbols().filter(|symbol| symbol.is_weak());
    let weak: HashSet<&[u8]> = weak.filter_map(|symbol| symbol.name_bytes().ok()).collect();
    let mut names = Vec::new();
    for export in library.exports().map_err(damaged)?.flatten() {
        if let object::read::NameOrOrdinal::Name(name) = export.name()
            && !(weak.contains(name) && is_of_std(name))
        {
            names.push(plain_name(name));
        }
    }
    names.sort();
    names.dedup();
    Ok(names)
}

fn needed(library: &object::File<'_>) -> Result<Vec<String>, LoadError> {
    let libraries = library.import_libraries().map_err(damaged)?;
    Ok(libraries.flatten().map(|library| String::from_utf8_lossy(library.name()).into_owned()).collect())
}

/// The versions of other libraries' symbols that a library needs. Only ELF has them.
fn versions(data: &[u8]) -> object::Result<Vec<(String, String)>> {
    let header = Header::parse(data)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, data)?;
    let Some((mut libraries, link)) = sections.gnu_verneed(endian, data)? else { return Ok(Vec::new()) };
    let strings = sections.strings(endian, data, link)?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut needed = Vec::new();
    while let Some((library, mut versions)) = libraries.next()? {
        let file = text(library.file(endian, strings)?);
        while let Some(version) = versions.next()? {
            needed.push((file.clone(), text(version.name(endian, strings)?)));
        }
    }
    Ok(needed)
}

/// Whether a symbol is of the namespace `std`, as the C++ ABI of Itanium writes names.
pub(super) fn is_of_std(name: &[u8]) -> bool {
    let name = plain_name(name);
    let Some(name) = name.strip_prefix("_Z") else { return false };
    // Tables and names of types, guards of variables, and then nested names.
    let name = ["TV", "TT", "TI", "TS", "GV"].iter().find_map(|kind| name.strip_prefix(kind)).unwrap_or(name);
    let name = ["NK", "N"].iter().find_map(|nested| name.strip_prefix(nested)).unwrap_or(name);
    ["St", "Sa", "Sb", "Ss", "Si", "So", "Sd", "9__gnu_cxx"].iter().any(|std| name.starts_with(std))
}

/// A symbol as C source names it: macOS puts an underscore before each.
fn plain_name(name: &[u8]) -> String {
    let name = if cfg!(target_os = "macos") { name.strip_prefix(b"_").unwrap_or(name) } else { name };
    String::from_utf8_lossy(name).into_owned()
}

fn find_entry_point(library: &object::File<'_>, exports: &[String]) -> Result<(), LoadError> {
    let wanted = raw::ENTRY_POINT.to_string_lossy();
    if exports.iter().any(|name| *name == wanted) {
        return Ok(());
    }
    let is_entry = |name: &[u8]| plain_name(name) == wanted;
    if library.symbols().any(|symbol| symbol.is_definition() && symbol.name_bytes().is_ok_and(is_entry)) {
        return Err(LoadError::NotExported);
    }
    if let Some(newer) = exports.iter().find_map(|name| name.strip_prefix("arbiter_bot_v")?.parse().ok()) {
        return Err(LoadError::TooNew(newer));
    }
    if let Some(symbol) = exports.iter().find(|name| name.contains(&*wanted)) {
        return Err(LoadError::Mangled(symbol.clone()));
    }
    let is_bridge = exports.iter().any(|export| export.as_bytes() == bridge::ENTRY_POINT.to_bytes());
    Err(if is_bridge { LoadError::Bridge } else { LoadError::NoEntryPoint })
}

fn damaged(error: object::Error) -> LoadError {
    LoadError::Damaged(error.to_string())
}

/// What kind of file it is, if it is no library of any system.
fn kind_of_file(data: &[u8]) -> String {
    let start = &data[..data.len().min(GLIMPSE)];
    let is_text = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~' | 0x80..);
    let what = match start {
        [] => "an empty file",
        [b'#', b'!', ..] => "a script",
        [b'!', b'<', b'a', b'r', b'c', b'h', b'>', ..] => "an archive of object files",
        [0, b'a', b's', b'm', ..] => "a WebAssembly module",
        text if text.iter().all(is_text) => "a text file",
        _ => "a file of unknown kind",
    };
    what.to_owned()
}

fn system_of(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Elf32 | FileKind::Elf64 => "Linux",
        FileKind::MachO32 | FileKind::MachO64 | FileKind::MachOFat32 | FileKind::MachOFat64 => "macOS",
        FileKind::Pe32 | FileKind::Pe64 => "Windows",
        _ => "another system",
    }
}

fn system_of_ours() -> &'static str {
    match std::env::consts::OS {
        "macos" => "macOS",
        "windows" => "Windows",
        // All other systems use ELF, whose header does not tell them apart.
        _ => "Linux",
    }
}

fn our_architecture() -> Architecture {
    match std::env::consts::ARCH {
        "x86_64" => Architecture::X86_64,
        "x86" => Architecture::I386,
        "aarch64" => Architecture::Aarch64,
        "arm" => Architecture::Arm,
        "riscv64" => Architecture::Riscv64,
        "powerpc64" => Architecture::PowerPc64,
        "s390x" => Architecture::S390x,
        "loongarch64" => Architecture::LoongArch64,
        _ => Architecture::Unknown,
    }
}

fn architecture_name(architecture: Architecture, is_64: bool) -> String {
    match architecture {
        Architecture::X86_64 => "x86-64".to_owned(),
        Architecture::I386 => "32-bit x86".to_owned(),
        Architecture::Aarch64 => "64-bit ARM".to_owned(),
        Architecture::Arm => "32-bit ARM".to_owned(),
        Architecture::Unknown => format!("an unknown {}-bit processor", if is_64 { 64 } else { 32 }),
        other => format!("{other:?}"),
    }
}
