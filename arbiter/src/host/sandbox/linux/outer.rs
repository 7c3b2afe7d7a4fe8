//! What this process is called outside its namespaces: as the referee knows it.

use std::io;

/// The numbers that the referee's system gives this process and its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) process: u32,
    pub(super) parent: u32,
}

/// Reads them where the referee would look for them as well.
pub(super) fn numbers() -> io::Result<Numbers> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    parse(&stat).ok_or_else(|| io::Error::other("/proc/self/stat cannot be understood"))
}

/// The number before the name, which may hold anything, and the second field after it.
fn parse(stat: &str) -> Option<Numbers> {
    let process = stat.split_whitespace().next()?.parse().ok()?;
    let parent = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?;
    Some(Numbers { process, parent })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_anything_in_it_hides_no_number() {
        let numbers = parse("4711 (a) R 3 (b) S 815 4711 4711 0 -1");
        assert_eq!(numbers, Some(Numbers { process: 4711, parent: 815 }));
        assert_eq!(parse("4711 (a"), None);
    }

    #[test]
    fn outside_of_namespaces_the_numbers_are_the_usual_ones() {
        let numbers = numbers().unwrap();
        assert_eq!(numbers.process, std::process::id());
        assert_eq!(numbers.parent, std::os::unix::process::parent_id());
    }
}
