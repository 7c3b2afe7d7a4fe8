//! What the bot's file shows, and what it says of itself.

use super::Subject;
use super::finding::{Finding, Level, Rule};
use crate::host::HOW_IDS_ARE_WRITTEN;
use arbiter_plugin_api::raw;
use arbiter_rules::registry;

/// Symbols that linkers put into every library.
const OF_THE_LINKER: [&str; 6] = ["_init", "_fini", "_edata", "_end", "__bss_start", "_etext"];
/// Libraries that every machine of the kind has.
const EVERYWHERE: &str = "libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 libgcc_s.so.1 ld-linux-x86-64.so.2 \
                          ld-linux-aarch64.so.1 libSystem.B.dylib kernel32.dll ntdll.dll user32.dll userenv.dll ws2_32.dll \
                          msvcrt.dll ucrtbase.dll bcryptprimitives.dll advapi32.dll";
/// How many names are shown of a long list.
const SHOWN: usize = 8;

pub(super) const ONE_SYMBOL: Rule = Rule { place: "arbiter_bot_v1", says: "The one symbol a bot exports" };

pub(super) fn look(subject: &Subject) -> Vec<Finding> {
    let mut found = vec![Finding::saying(Level::Ok, introduction(subject))];
    // A bridge is not the author's.
    if subject.command.file.runtime().is_none() {
        found.extend(extra_exports(subject));
        found.extend(rare_libraries(subject));
    }
    found.extend(unknown_games(subject));
    found
}

fn introduction(subject: &Subject) -> String {
    let (greeting, file) = (&subject.greeting, subject.look());
    let games = greeting.repertoire();
    let needs = file.needed.iter().map(|library| match newest(&file.versions, library) {
        Some(version) => format!("{library} ({version})"),
        None => library.clone(),
    });
    let needs: Vec<_> = match subject.command.file.runtime() {
        Some(runtime) => vec![runtime.to_owned()],
        None => needs.collect(),
    };
    let needs = if needs.is_empty() { "no library".to_owned() } else { needs.join(", ") };
    let name = [greeting.name.as_str(), greeting.version.as_str()].join(" ");
    format!("{} plays {games}; needs {needs}", name.trim_end())
}

/// The newest version that is needed of a library: older machines refuse the bot.
fn newest<'a>(versions: &'a [(String, String)], library: &str) -> Option<&'a str> {
    let of_it = versions.iter().filter(|(of, _)| of == library).map(|(_, version)| version.as_str());
    of_it.max_by_key(|version| number(version))
}

/// The numbers in a version, for comparing: `GLIBC_2.34` is 2 and 34.
fn number(version: &str) -> Vec<u32> {
    let numbers = version.rsplit('_').next().unwrap_or_default();
    numbers.split('.').map(|part| part.parse().unwrap_or_default()).collect()
}

fn extra_exports(subject: &Subject) -> Option<Finding> {
    let entry = raw::ENTRY_POINT.to_string_lossy();
    let is_extra = |name: &&String| {
        let is_entry = name.strip_prefix(entry.trim_end_matches('1'));
        // No function of libc has a name of C++, and templates are exported whatever the flags.
        !name.starts_with("_Z")
            && !OF_THE_LINKER.contains(&name.as_str())
            && is_entry.is_none_or(|major| major.parse::<u32>().is_err())
    };
    let exports = &subject.look().exports;
    let extra: Vec<&String> = exports.iter().filter(is_extra).collect();
    // Go exports what it calls C by, and no flag keeps it from that.
    let is_go = exports.iter().any(|name| name == "_cgo_topofstack");
    if extra.is_empty() || is_go {
        return None;
    }
    let shown: Vec<&str> = extra.iter().take(SHOWN).map(|name| name.as_str()).collect();
    let more = if extra.len() > SHOWN { ", …" } else { "" };
    let plural = if extra.len() == 1 { "" } else { "s" };
    let did =
        format!("exports {} symbol{plural} beside its entry point: {}{more}", extra.len(), shown.join(", "));
    let advice = "build with -fvisibility=hidden (C and C++; -Wl,--exclude-libs,ALL for static libraries): a function \
                  with the name of one in libc is mixed up with it";
    Some(Finding::saying(Level::Warning, did).by(Some(ONE_SYMBOL)).advise(advice))
}

fn rare_libraries(subject: &Subject) -> Option<Finding> {
    // Windows does not tell capital letters from small ones, and hands its own parts out under names that begin so.
    let is_known = |name: &str| EVERYWHERE.split(' ').any(|known| known == name);
    let is_common = |name: &str| is_known(name) || is_known(&name.to_lowercase());
    let is_rare = |name: &&String| !is_common(name) && !name.starts_with("api-ms-win-");
    let rare: Vec<&str> = subject.look().needed.iter().filter(is_rare).map(String::as_str).collect();
    let did = format!("needs {}, which another machine may not have, or not as new", rare.join(", "));
    let advice = "link it into the bot (C++: -static-libstdc++ -static-libgcc), and build on the oldest system you \
                  care for";
    (!rare.is_empty()).then(|| Finding::saying(Level::Note, did).advise(advice))
}

fn unknown_games(subject: &Subject) -> Option<Finding> {
    let is_known = |name: &&String| registry::GAMES.iter().any(|info| info.id == name.as_str());
    let games = &subject.greeting.games;
    let unknown: Vec<_> =
        games.iter().filter(|name| !is_known(name)).map(|name| format!("'{name}'")).collect();
    let known: Vec<&str> = registry::GAMES.iter().map(|info| info.id).collect();
    let did = format!("says that it plays {}, which this arbiter does not know", unknown.join(", "));
    let advice = format!("{HOW_IDS_ARE_WRITTEN}: the games are {}", known.join(" "));
    (!unknown.is_empty()).then(|| Finding::saying(Level::Warning, did).advise(advice))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_is_found_by_its_numbers_and_not_by_its_letters() {
        let versions = ["GLIBC_2.4", "GLIBC_2.34", "GLIBC_2.3.4"];
        let versions: Vec<_> = versions.map(|version| ("libc.so.6".to_owned(), version.to_owned())).into();
        assert_eq!(newest(&versions, "libc.so.6"), Some("GLIBC_2.34"));
        assert_eq!(newest(&versions, "libm.so.6"), None);
    }
}
