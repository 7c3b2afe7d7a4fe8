//! Leagues: bots come, change and go, the referee is killed, and nothing is lost or played twice.

use crate::support::{
    Run, arbiter, c_bot, c_bot_with, canonical, command, played_once, sample_bot, say_aloud, scratch, send,
};
use rustix::process::Signal;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

/// A game that takes a millisecond, and clocks that no bot loses on.
const FILE: &str = "game = \"tic-tac-toe\"\nno-clock = true\npairs = 3\nmax-pairs = 6\nseed = \"league\"\nevery = \"10ms\"\n";

/// The bots of most leagues, with their files.
const TWO: &[(&str, &str)] = &[("random", "random.so"), ("greedy", "greedy.so")];

/// A league in a folder of its own.
struct League(PathBuf);

impl League {
    /// A league of these sample bots, each with the name of its file. No two files are the same.
    fn of(test: &str, bots: &[(&str, &str)]) -> League {
        let folder = scratch(test);
        fs::create_dir(folder.join("bots")).unwrap();
        fs::write(folder.join("bots/league.toml"), FILE).unwrap();
        let league = League(folder);
        bots.iter().zip(0..).for_each(|((bot, name), number)| league.put(&sample_bot(bot), name, number));
        league
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join("bots").join(name)
    }

    /// Puts a bot there under a name, as another version of itself: libraries may have anything behind their end.
    fn put(&self, bot: &str, name: &str, version: u32) {
        let mut bytes = fs::read(bot).unwrap();
        bytes.extend(std::iter::repeat_n(0, version as usize));
        fs::write(self.path("incoming"), bytes).unwrap();
        fs::rename(self.path("incoming"), self.path(name)).unwrap();
    }

    fn run(&self, more: &[&str]) -> Run {
        arbiter(&self.0, &[&["league", "bots", "--once"], more].concat())
    }

    fn start(&self, more: &[&str]) -> Child {
        let mut running = command(&self.0, &[&["league", "bots"], more].concat());
        running.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    fn journal(&self) -> PathBuf {
        self.path("season/season.json.journal")
    }

    fn lines(&self) -> usize {
        fs::read(self.journal()).map_or(0, |text| text.iter().filter(|byte| **byte == b'\n').count())
    }

    /// Waits until something has been written into the journal, which has to be so before the program ends.
    #[track_caller]
    fn wait_for(&self, running: &mut Child, is_there: impl Fn(&str) -> bool) {
        while !is_there(&fs::read_to_string(self.journal()).unwrap_or_default()) {
            assert_eq!(running.try_wait().unwrap(), None, "it has ended before");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Who stands where, judged again from the journal and from the report; no game is there twice.
    #[track_caller]
    fn standings(&self) -> Vec<(String, u64, f64)> {
        played_once(&self.journal());
        for file in ["bots/season/season.json", "bots/season/season.json.journal"] {
            arbiter(&self.0, &["verify", file]).expect(0);
        }
        let standings = arbiter(&self.0, &["standings", "bots/season", "--format", "json"]).json();
        let line = |line: &Value| {
            let name = line["name"].as_str().unwrap().to_owned();
            (name, line["games"].as_u64().unwrap(), line["rating"].as_f64().unwrap())
        };
        standings["standings"].as_array().unwrap().iter().map(line).collect()
    }

    fn names(&self) -> Vec<String> {
        self.standings().into_iter().map(|(name, ..)| name).collect()
    }
}

#[test]
fn bots_come_change_and_go_and_nothing_is_played_twice() {
    let league = League::of("league", TWO);
    league.run(&[]).expect(0);
    assert_eq!(league.names(), ["greedy@1", "random@1"]);
    let lines = league.lines();
    league.run(&[]).expect(0);
    assert_eq!(league.lines(), lines, "what has been played is not played again");
    let anchored = |anchor: &str| {
        arbiter(&league.0, &["standings", "bots/season", "--format", "json", "--anchor", anchor])
    };
    let standings = anchored("random@1=1500").json();
    let (greedy, random) = (&standings["standings"][0], &standings["standings"][1]);
    assert_eq!(
        (&random["rating"], &random["lower"], &random["upper"]),
        (&1500.0.into(), &1500.0.into(), &1500.0.into())
    );
    let between = |low: &Value, high: &Value| low.as_f64() < high.as_f64();
    assert!(between(&greedy["lower"], &greedy["rating"]) && between(&greedy["rating"], &greedy["upper"]));
    assert!(between(&random["rating"], &greedy["rating"]), "the better one stays the better one");
    assert!(anchored("nobody=1500").err.contains("one of"), "who is meant is asked");

    league.put(&sample_bot("minimax"), "greedy.so", 0);
    fs::write(league.path("broken.so"), "no library").unwrap();
    let run = league.run(&[]);
    run.and_says("broken.so is not let in: it is a text file");
    assert_eq!(league.names(), ["greedy@2", "random@1", "greedy@1"], "the earlier version comes last");
    assert!(league.path("season/bots/greedy@2/check.txt").is_file());

    fs::remove_file(league.path("greedy.so")).unwrap();
    league.run(&[]).expect(0);
    assert_eq!(league.names()[0], "random@1");
    let lines = league.lines();
    league.put(&sample_bot("minimax"), "greedy.so", 0);
    league.run(&[]).and_says("greedy@2 is back");
    assert_eq!(league.lines(), lines + 1, "it has played, and plays no more than that");
}

/// Otherwise whoever starts a league believes that it does not see the bots, or that it hangs while it checks one.
#[test]
fn a_league_that_waits_for_bots_says_what_it_does_before_it_says_how_things_stand() {
    let league = League::of("league-begins", TWO);
    let mut running = command(&league.0, &["league", "bots", "--every", "100ms"]);
    let mut running = running.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(running.stderr.take().unwrap()).lines().map(Result::unwrap);
    let said: Vec<_> = lines.take_while(|line| !line.starts_with("waiting for other bots")).collect();
    running.kill().unwrap();
    running.wait().unwrap();
    let begins = ["checking bots/greedy.so", "greedy@1 is in", "checking bots/random.so", "random@1 is in"];
    assert_eq!(said[..4], begins, "{said:?}");
    assert!(!said.iter().any(|line| line.contains("nobody has played")), "{said:?}");
}

/// Otherwise a student who hands in `greedy.py` would be the `greedy` of the staff's `libgreedy.so`.
#[test]
fn a_mark_that_fits_several_files_is_set_by_none_until_one_is_named() {
    let league = League::of("league-mark-fits", &[("random", "greedy.so"), ("greedy", "libgreedy.so")]);
    let toml =
        |mark: &str| fs::write(league.path("league.toml"), format!("{FILE}mark = [\"{mark}\"]\n")).unwrap();
    toml("greedy");
    league.run(&[]).says(2, "fits several files: greedy.so, libgreedy.so");
    toml("libgreedy.so");
    let run = league.run(&[]);
    run.and_says("greedy.so plays as greedy-2, since libgreedy.so is greedy");
    run.and_says("greedy@1 sets a mark; its file is libgreedy.so");
    assert!(run.code == 0 && !run.err.contains("nobody here is called"), "{}", run.err);
}

/// Authors of bots see the standings and the page, and not what the league says.
#[test]
fn who_is_not_let_in_stands_below_the_standings_and_on_the_page() {
    let league = League::of("league-refused", &[("random", "anna.so"), ("greedy", "ben.so")]);
    fs::write(league.path("fritz.so"), "no library").unwrap();
    fs::write(league.path("fritzi.so"), "no library").unwrap();
    let page = || fs::read_to_string(league.path("season/season.html")).unwrap();
    let out = league.run(&[]).expect(0);
    assert!(out.contains("fritz.so is not let in: "), "{out}");
    assert!(out.contains("library\nfritzi.so is not let in: "), "a list has no gaps: {out}");
    let (before, behind) =
        page().split_once("<h2>Standings").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    assert!(
        !before.contains("fritz.so") && behind.contains("fritz.so is not let in: "),
        "a class full of them"
    );
    fs::remove_file(league.path("fritzi.so")).unwrap();
    fs::remove_file(league.path("fritz.so")).unwrap();
    let out = league.run(&[]).expect(0);
    assert!(!out.contains("fritz.so") && !page().contains("fritz.so"), "{out}");
}

/// Whoever hands in a source file would wait for weeks to see it play, and whoever hands in what another one wrote would be seen last.
#[test]
fn a_league_says_what_is_no_bot_and_which_bots_are_one_file() {
    let league = League::of("league-left-out", &[]);
    for name in ["anna.so", "ben.so"] {
        league.put(&sample_bot("random"), name, 0);
    }
    fs::write(league.path("david.c"), "int main;").unwrap();
    fs::write(league.path("names.csv"), "bot,name\nanna,Anna\n").unwrap();
    let run = league.run(&[]);
    run.says(0, "left out: david.c. Bots are");
    run.and_says("anna@1 is in\n");
    run.and_says("ben@1 is in; it is the same file as anna@1\n");
    let run = league.run(&["--season", "second"]);
    assert!(
        run.code == 0 && run.err.contains("left out: david.c. Bots are"),
        "no season is one: {}",
        run.err
    );
}

/// Whoever may write into the folder could otherwise have a file copied that only the referee may read, or fill its memory.
#[test]
fn a_table_of_names_is_read_from_a_small_file_alone() {
    let league = League::of("league-names-link", &[("random", "anna.so"), ("greedy", "ben.so")]);
    fs::write(league.path("secret"), "bot,name\nanna,Secret\n").unwrap();
    std::os::unix::fs::symlink("secret", league.path("names.csv")).unwrap();
    league.run(&[]).says(0, "because: it is a link");
    assert!(!league.path("season/names.csv").exists(), "it is not copied");
    fs::remove_file(league.path("names.csv")).unwrap();
    fs::write(league.path("names.csv"), vec![b' '; 2 << 20]).unwrap();
    let run = league.run(&[]);
    run.says(0, "because: it has more than 1 MiB");
    assert!(!league.path("season/names.csv").exists(), "it is not copied");
    fs::write(league.path("names.csv"), "bot,name\nanna,Anna\n").unwrap();
    league.run(&[]).expect(0);
    assert!(fs::read_to_string(league.path("season/season.html")).unwrap().contains("<h2>Anna</h2>"));
}

/// Five seconds are promised to every bot, and `prepare-time` may promise more.
#[test]
fn a_bot_that_takes_as_long_to_load_as_it_may_is_let_in() {
    let league = League::of("league-slow", &[]);
    let slow = "import time\nfrom arbiter_bot import Bot\n\ntime.sleep(3.2)\n\nclass Slow(Bot):\n    def choose_move(self, turn):\n        return turn.moves[0]\n";
    fs::write(league.path("slow.py"), slow).unwrap();
    let mut running = league.start(&["--once", "--until-round", "0"]);
    // Its copy is made when it has begun a game.
    while !league.path("season/bots/.incoming").exists() {
        assert_eq!(running.try_wait().unwrap(), None, "it is not let in");
        std::thread::sleep(Duration::from_millis(10));
    }
    running.kill().unwrap();
    running.wait().unwrap();
}

/// Otherwise a student who hands in `greedy .so` would be the `greedy` whose mark others have to reach.
#[test]
fn a_name_is_that_of_the_file_that_bears_it_and_not_of_one_that_is_only_called_like_it() {
    let league = League::of("league-alike", &[("random", "greedy .so"), ("greedy", "libgreedy.so")]);
    league.run(&["--mark", "greedy"]).and_says("greedy@1 sets a mark; its file is libgreedy.so");
    league.put(&sample_bot("minimax"), "deep\x1b[2Jblue.so", 0);
    league.run(&["--mark", "deep__2Jblue"]).and_says("its file is deep\\x1b[2Jblue.so");
}

#[test]
fn a_mark_is_earned_by_who_beats_the_bot_that_sets_it_and_by_nobody_else() {
    let league = League::of("league-marks", &[("random", "alice.so"), ("random", "staff.so")]);
    let more = ["--mark", "greedy", "--mark", "nobody", "--pairs", "6", "--max-pairs", "30"];
    league.run(&more).expect(0);
    league.put(&sample_bot("minimax"), "alice.so", 0);
    league.put(&sample_bot("random"), "greedy.so", 2);
    let run = league.run(&more);
    run.and_says("greedy@1 sets a mark");
    let marks =
        |format| arbiter(&league.0, &["standings", "bots/season", "--marks", "--format", format]).expect(0);
    let csv = marks("csv");
    let row = |bot: &str| -> Vec<String> {
        let row = csv.lines().find(|row| row.starts_with(&format!("{bot},"))).expect(bot);
        row.split(',').map(str::to_owned).collect()
    };
    assert_eq!(row("alice")[1..4], ["greedy@1", "yes", "alice@2"], "{csv}");
    assert!(row("alice")[5].parse::<u32>().unwrap() < 30, "nobody plays on when it is clear: {csv}");
    assert_eq!(row("staff")[2], "no", "{csv}");
    let table = marks("table");
    let told: Vec<Vec<&str>> = table.lines().take(3).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(told[0], ["confidence,", "%", "greedy@1"], "{table}");
    assert!(told[1..].contains(&vec!["alice", "yes"]), "a bot has one row, whatever sets marks: {table}");
    assert!(table.contains("one in twenty"));
    // Whoever reads the season anew draws the same rounds, and nothing is played twice.
    league.standings();
    let lines = league.lines();
    league.run(&more).expect(0);
    assert_eq!(league.lines(), lines);
}

/// Courses hand out marks, publish names or hide them, play finals, and keep all of it.
#[test]
fn a_course_has_names_finals_and_a_page_for_each_bot_and_its_folder_is_all_of_it() {
    let bots = [("minimax", "alice.so"), ("random", "staff.so"), ("greedy", "barnaby.so")];
    let league = League::of("league-course", &bots);
    let more = format!("{FILE}mark = \"staff\"\n[finals]\ntop = 2\npairs = 2\n");
    fs::write(league.path("league.toml"), more).unwrap();
    let names = "bot;name;pseudonym\nalice;Miller, Alice;Blue Fox\nbert;Bert;Red Fox\n";
    fs::write(league.path("names.csv"), names).unwrap();
    league.put(&c_bot("fainting"), "carol.so", 0);
    let run = league.run(&[]);
    run.says(0, "nobody here is called bert, named in names.csv");
    let finals = arbiter(&league.0, &["league", "bots", "--finals"]);
    assert!(
        finals.out.contains("knockout") && finals.out.contains("Miller, Alice@1"),
        "{}{}",
        finals.out,
        finals.err
    );
    assert!(!finals.out.contains("staff@1"), "who sets a mark plays no finals: {}", finals.out);
    let again = arbiter(&league.0, &["league", "bots", "--finals"]);
    again.says(0, "this is finished");
    assert!(league.run(&[]).err.contains("the finals of bots/season have begun"));

    let elsewhere = scratch("league-course-archive");
    fs::rename(league.path("season"), elsewhere.join("kept")).unwrap();
    fs::remove_dir_all(league.path("")).unwrap();
    let page = fs::read_to_string(elsewhere.join("kept/season.html")).unwrap();
    assert!(page.contains("<h2>Miller, Alice</h2>") && page.contains("class=\"entrant wide\""));
    let faults = page.split("<h2>carol</h2>").nth(1).unwrap().split("class=\"entrant wide\"").next().unwrap();
    assert!(
        faults.contains("I feel faint") && faults.contains("Again:"),
        "its faults are on its page: {faults}"
    );
    let read = |words: &[&str]| arbiter(&elsewhere, words).expect(0);
    for file in ["kept/season.json", "kept/finals/finals.json"] {
        read(&["verify", file]);
    }
    assert!(read(&["standings", "kept"]).contains("Miller, Alice@1"));
    let finals = arbiter(&elsewhere, &["standings", "kept/finals"]);
    assert!(!finals.err.contains("nobody here is called"), "not all play finals: {}", finals.err);
    assert!(read(&["again", "kept/season.json"]).contains("as before"), "the copies of bots are found");
    read(&["report", "kept", "-o", "wall.html", "--pseudonyms", "--anchor", "staff@1=1500"]);
    let wall = fs::read_to_string(elsewhere.join("wall.html")).unwrap();
    assert!(wall.contains("Blue Fox") && wall.contains("staff@1"));
    // Long enough to stand nowhere by chance in what is packed.
    for hidden in ["Miller", "alice", "barnaby", "carol", "Fainting", "I feel faint"] {
        assert!(!wall.contains(hidden), "the wall says {hidden}");
    }
}

#[test]
fn what_somebody_breaks_is_said_and_costs_no_game() {
    let league = League::of("league-broken", TWO);
    league.run(&["--until-round", "2"]).expect(0);
    let lines = league.lines();
    let other_time = FILE.replace("no-clock = true", "move-time = \"1s\"");
    for (file, message) in [
        ("game = \"tic-tac-toe", "is no league file"),
        ("game = \"othello\"", "begun with --game tic-tac-toe, not othello"),
        (&other_time, "begun with --no-clock, not --move-time 1s"),
        ("bots = [\"a.so\"]\ngame = \"tic-tac-toe\"", "bots"),
        ("pear = 1", "there is no key 'pear'"),
    ] {
        fs::write(league.path("league.toml"), file).unwrap();
        league.run(&[]).says(2, message);
    }
    fs::write(league.path("league.toml"), FILE).unwrap();
    // A line that was being written when the power failed.
    let half = fs::read_to_string(league.journal()).unwrap() + "{\"number\":99,\"round\":3,\"un";
    fs::write(league.journal(), half).unwrap();
    assert_eq!(league.lines(), lines);
    // Copies are what was played: nothing else takes their place.
    let copy = league.path("season/bots/greedy@1/greedy.so");
    fs::rename(&copy, league.path("greedy.gone")).unwrap();
    let run = league.run(&[]);
    run.says(3, "is not what it was when it came");
    fs::rename(league.path("greedy.gone"), &copy).unwrap();
    league.run(&[]).expect(0);
    assert_eq!(league.names(), ["greedy@1", "random@1"]);
    let watch = || league.start(&["--every", "10ms"]);
    let mut seasons = watch();
    let is_refused = (0..100).any(|_| {
        let run = league.run(&[]);
        // Where this one came first, the other has been refused, and has ended.
        if seasons.try_wait().unwrap().is_some() {
            seasons = watch();
        }
        run.err.contains("still being played by another arbiter")
    });
    assert!(is_refused);
    seasons.kill().unwrap();
    seasons.wait().unwrap();
}

#[test]
fn a_bot_that_is_replaced_while_it_plays_comes_into_the_next_round() {
    let league = League::of("league-replaced", TWO);
    let mut running = league.start(&["--every", "10ms", "--pairs", "400", "--max-pairs", "400"]);
    let games = |text: &str| text.matches("{\"number\"").count();
    league.wait_for(&mut running, |text| games(text) > 10);
    league.put(&sample_bot("minimax"), "greedy.so", 0);
    league.wait_for(&mut running, |text| text.contains("greedy@2") && text.ends_with('\n'));
    fs::remove_file(league.path("random.so")).unwrap();
    league.wait_for(&mut running, |text| {
        text.contains("\"player\":1,\"change\":\"leaves\"") && text.ends_with('\n')
    });
    send(Signal::TERM, running.id());
    assert_eq!(running.wait().unwrap().code(), Some(143));
    assert_eq!(league.names()[0], "greedy@2");
}

/// A check takes seconds or minutes: whoever wants the program to end does not wait for it, and the bot is looked at again.
#[test]
fn ctrl_c_during_a_check_ends_the_league_and_lets_nobody_in() {
    let league = League::of("league-check", &[("minimax", "a.so")]);
    let mut running = league.start(&["--game", "othello", "--once"]);
    while !league.path("season/bots/.incoming").exists() {
        assert!(running.try_wait().unwrap().is_none(), "it ended before the check began");
        std::thread::sleep(Duration::from_millis(1));
    }
    send(Signal::INT, running.id());
    assert_eq!(running.wait().unwrap().code(), Some(130));
    assert!(!league.path("season/bots/a@1").exists(), "the check went on to its end");
    league.run(&["--game", "othello"]).expect(0);
    assert!(league.path("season/bots/a@1/check.txt").exists());
}

/// A disk that is full costs no game, and the league goes on by itself when there is room.
#[test]
fn a_full_disk_costs_no_game() {
    let league = League::of("league-full", &[]);
    league.put(&c_bot("first"), "a.so", 0);
    league.put(&c_bot("first"), "b.so", 1);
    fs::create_dir(league.path("season")).unwrap();
    let script = format!(
        "mount -t tmpfs -o size=200k none bots/season || exit 77
         timeout 120 '{}' league bots --until-round 400 --every 10ms --pairs 400 --max-pairs 400 >out 2>err & league=$!
         while ! grep -q 'goes on when there is room' err && kill -0 $league; do sleep 0.05; done
         mount -o remount,size=8m none bots/season && wait $league && cp -r bots/season kept",
        env!("CARGO_BIN_EXE_arbiter")
    );
    let shell = std::process::Command::new("unshare")
        .args(["-m", "sh", "-c", &script])
        .current_dir(&league.0)
        .status();
    // The league writes there from its start.
    if !league.0.join("err").exists() {
        return say_aloud("skipped: nobody may make a small disk here");
    }
    let said = fs::read_to_string(league.0.join("err")).unwrap();
    assert!(shell.unwrap().success() && said.contains("No space left"), "{said}");
    assert_eq!(said.matches("goes on when there is room").count(), 1, "{said}");
    assert!(!said.contains("--resume"), "{said}");
    fs::remove_dir_all(league.path("season")).unwrap();
    fs::rename(league.0.join("kept"), league.path("season")).unwrap();
    assert_eq!(league.standings().iter().map(|(_, games, _)| games).sum::<u64>(), 2 * 800);
}

/// Plays a league in which something happens before these rounds, killing it so often at random moments, and compares it with one that nobody killed.
fn kills(test: &str, times: u64, rounds: &[u32], happen: impl Fn(usize, &League), more: &[&str]) {
    let (whole, killed) =
        (League::of(&format!("{test}-whole"), &[]), League::of(&format!("{test}-killed"), &[]));
    let mut moments = arbiter_rules::Random::new(times);
    let mut kills = 0;
    for index in 0..rounds.len() {
        let until = rounds.get(index + 1).map(u32::to_string);
        let until: Vec<&str> =
            until.iter().flat_map(|round| ["--until-round", round]).chain(more.iter().copied()).collect();
        happen(index, &whole);
        whole.run(&until).expect(0);
        happen(index, &killed);
        // Behind the last happening there may be nothing to play.
        let quota = times * (index as u64 + 1) / (rounds.len() as u64 - 1);
        let mut is_over = false;
        while kills < quota.min(times) && !is_over {
            let had = killed.lines();
            let mut running = killed.start(&[&["--once"], &until[..]].concat());
            // Not before it has written something, so that everything comes to an end; then at a random moment.
            while killed.lines() <= had && running.try_wait().unwrap().is_none() {
                std::thread::yield_now();
            }
            std::thread::sleep(Duration::from_micros(moments.below(15_000) as u64));
            running.kill().unwrap();
            is_over = running.wait().unwrap().success();
            kills += u64::from(!is_over);
        }
        killed.run(&until).expect(0);
    }
    assert_eq!(kills, times, "it was over before it could be killed so often");
    assert_eq!(killed.standings(), whole.standings());
    let [killed, whole] = [&killed, &whole].map(|league| canonical(&league.0, "bots/season/season.json"));
    assert_eq!(killed, whole);
}

#[test]
fn a_league_that_is_killed_again_and_again_ends_as_if_nothing_had_happened() {
    let happen = |happening, league: &League| match happening {
        0 => {
            TWO.iter().for_each(|(bot, name)| league.put(&sample_bot(bot), name, 0));
            league.put(&sample_bot("random"), "other.so", 1);
        }
        1 => league.put(&sample_bot("minimax"), "greedy.so", 0),
        _ => fs::remove_file(league.path("other.so")).unwrap(),
    };
    kills("league-kills", 4, &[0, 4, 7], happen, &["--pairs", "6", "--max-pairs", "18"]);
}

/// `cargo test --release -p arbiter --test it -- --ignored a_month_of_twelve_bots`
#[test]
#[ignore = "takes minutes"]
fn a_month_of_twelve_bots_and_a_hundred_kills_ends_as_if_nothing_had_happened() {
    // Every day somebody brings another version, or takes a bot away; one always crashes and is withdrawn.
    let names = ["random", "greedy", "minimax"];
    let put = |league: &League, bot: usize, name, version| {
        league.put(&sample_bot(names[name % 3]), &format!("bot-{bot}.so"), version as u32);
    };
    let happen = |day, league: &League| match day {
        0 => (0..11).for_each(|bot| put(league, bot, bot, bot)),
        1 => league.put(&c_bot("flaky"), "flaky.so", 0),
        _ if day % 7 == 5 => fs::remove_file(league.path(&format!("bot-{}.so", day % 11))).unwrap(),
        _ => {
            let bot = day * 5 % 11;
            put(league, bot, day + bot, 20 + day);
        }
    };
    let rounds: Vec<u32> = (0..30).map(|day| 3 * day).collect();
    kills("league-month", 100, &rounds, happen, &["--pairs", "30", "--max-pairs", "60"]);
}

/// `cargo test --release -p arbiter --test it -- --ignored --nocapture thirty_leagues`
#[test]
#[ignore = "takes minutes"]
fn thirty_leagues_find_true_strengths_within_their_intervals() {
    const SHARES: [u32; 6] = [0, 20, 40, 60, 80, 100];
    let bots = SHARES.map(|share| c_bot_with("graded", &[&format!("-DSHARE={share}")]));
    // What is true is what so many games say that their own error is small beside that of a league.
    let folder = scratch("league-truth");
    let mut truth =
        vec!["tournament", "--game", "tic-tac-toe", "--no-clock", "--rounds", "3000", "--in-process"];
    truth.extend(["--format", "json", "--quiet", "--seed", "truth"]);
    truth.extend(bots.iter().map(String::as_str));
    let names = SHARES.map(|share| format!("{}:bot-{share}@1", share / 20 + 1));
    truth.extend(names.iter().flat_map(|name| ["--name", name]));
    let ratings = |run: Run| -> BTreeMap<String, [f64; 3]> {
        let standings = run.json();
        let of = |line: &Value| ["lower", "rating", "upper"].map(|key| line[key].as_f64().unwrap());
        let lines = standings["standings"].as_array().unwrap();
        lines.iter().map(|line| (line["name"].as_str().unwrap().to_owned(), of(line))).collect()
    };
    let truth = ratings(arbiter(&folder, &truth));
    let (mut within, mut all, mut best_is_first) = (0, 0, 0);
    for number in 0..30 {
        let league = League::of(&format!("league-real-{number}"), &[]);
        fs::write(
            league.path("league.toml"),
            FILE.replace("seed = \"league\"", &format!("seed = \"{number}\"")),
        )
        .unwrap();
        let enough = ["--pairs", "20", "--max-pairs", "100"];
        // Half of them come late.
        for some in [0..3, 3..6] {
            some.clone().for_each(|bot| league.put(&bots[bot], &format!("bot-{}.so", SHARES[bot]), 0));
            let until = if some.start == 0 { &["--until-round", "10"][..] } else { &[] };
            league.run(&[&enough[..], until].concat()).expect(0);
        }
        let found = ratings(arbiter(&league.0, &["standings", "bots/season", "--format", "json"]));
        let is_within = |name: &String| (found[name][0]..=found[name][2]).contains(&truth[name][1]);
        within += truth.keys().filter(|name| is_within(name)).count();
        all += truth.len();
        let best = |of: &BTreeMap<String, [f64; 3]>| {
            of.iter().max_by(|a, b| a.1[1].total_cmp(&b.1[1])).unwrap().0.clone()
        };
        best_is_first += usize::from(best(&found) == best(&truth));
    }
    say_aloud(&format!(
        "{within} of {all} true ratings are within their intervals; the best was first in {best_is_first} of 30; {truth:.0?}"
    ));
    // By chance, fewer than 160 of 180 happen in one of ten thousand runs.
    assert!(within >= 160, "{within} of {all}");
}

/// Whatever a file is called, it gets a name that every table, shell and file system can bear.
#[test]
fn hostile_names_become_plain_ones() {
    let league = League::of("league-names", &[]);
    let long = "x".repeat(150);
    for (number, name) in
        ["a+b.so", "a\u{1b}[31m\n@9.so", &format!("{long}.so"), "a_[31m__9.so", "libc.so", "Ju\u{308}rgen.so"]
            .iter()
            .enumerate()
    {
        league.put(&sample_bot("random"), name, number as u32);
    }
    let run = league.run(&["--until-round", "1"]);
    assert!(!run.err.contains('\u{1b}'), "{:?}", run.err);
    run.expect(0);
    let copies: BTreeSet<String> = fs::read_dir(league.path("season/bots"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let expected = [
        "a_b@1".to_owned(),
        "a__31m__9@1".to_owned(),
        "a__31m__9-2@1".to_owned(),
        format!("{}@1", "x".repeat(40)),
        "c@1".to_owned(),
        // As a Mac writes it.
        "J\u{fc}rgen@1".to_owned(),
    ];
    assert_eq!(copies, expected.into_iter().collect());
}

#[test]
fn a_folder_without_bots_is_said() {
    let league = League::of("league-empty", &[]);
    league.run(&[]).says(0, "nobody has played");
    assert!(!Path::new(&league.path("season/season.json")).exists());
    // The name of a folder does nothing to a terminal.
    fs::rename(league.path(""), league.0.join("\u{1b}[2J")).unwrap();
    arbiter(&league.0, &["league", "\u{1b}[2J", "--once"]).says(0, "take part in \\x1b[2J");
}
