//! `arbiter report -o FILE.html`: a page for a browser. What only a browser can tell is in `browser.rs`.

use crate::support::{arbiter, json as json_of, sample, sample_bot, scratch};
use serde_json::{Value, json};
use std::fs;

/// A name that would do harm where text becomes markup.
const HOSTILE: &str = "<img src=x onerror=window.harmed=1>";

/// A report whose every text comes from somebody who means harm.
pub(crate) fn hostile_report() -> Value {
    let mut report = json_of(sample("othello.json"));
    report["plan"]["players"][0]["name"] = format!("{HOSTILE}{}", "W".repeat(200)).into();
    report["plan"]["players"][1]["name"] = "</script><script>window.harmed=1</script>\u{202e}".into();
    for player in report["plan"]["players"].as_array_mut().unwrap() {
        for field in ["author", "version", "file"] {
            player[field] = format!("\"'>{HOSTILE}").into();
        }
        player["options"] = json!({ HOSTILE: HOSTILE });
    }
    report["plan"]["seed"] = HOSTILE.into();
    let game = &mut report["games"][0];
    for ply in game["plies"].as_array_mut().unwrap() {
        ply["search"] =
            json!({ "depth": 3, "nodes": 5, "score": 7, "line": [HOSTILE, "d3"], "text": HOSTILE });
    }
    game["errors"] = json!([{
        "ply": 3, "seat": 1, "attempt": 0, "answer": HOSTILE, "reason": HOSTILE, "sentence": HOSTILE, "position": HOSTILE
    }]);
    game["ending"] = json!({ "how": "forfeit", "reason": "panicked", "seat": 1, "fault": {
        "kind": "panicked", "during": "choose_move", "sentence": HOSTILE, "message": HOSTILE, "position": HOSTILE,
        "output": format!("{HOSTILE}\n</pre>"), "again": format!("arbiter again {HOSTILE}")
    }});
    report
}

#[test]
fn hostile_names_become_no_markup_and_the_page_lets_nothing_else_run() {
    let folder = scratch("page-hostile");
    let file = folder.join(format!("\">{HOSTILE}.json"));
    fs::write(&file, hostile_report().to_string()).unwrap();
    let run = arbiter(&folder, &["report", file.to_str().unwrap(), "-o", "hostile.html"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let page = fs::read_to_string(folder.join("hostile.html")).unwrap();
    assert!(page.contains("&lt;img src=x onerror=window.harmed=1&gt;"));
    assert!(!page.contains("<img") && !page.contains("<script>"));
    // What people copy is made anew, and begins with the file that was read.
    assert!(page.contains("<code>arbiter again &#39;/") && !page.contains("arbiter again &lt;"));
    let policy =
        page.split("Content-Security-Policy\" content=\"").nth(1).unwrap().split('"').next().unwrap();
    assert!(policy.starts_with("default-src &#39;none&#39;; script-src &#39;sha256-"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    // Addresses are names of elements, moves and the alphabet of SVG, but nothing that is fetched.
    for outside in ["src=\"", "@import", "url(http", "url(//", " href=\"http", "<link"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn a_page_says_without_a_script_who_won_and_what_went_wrong() {
    let folder = scratch("page-tables");
    let bots = [sample_bot("greedy"), sample_bot("random")];
    let play = ["--game", "tic-tac-toe", "--games", "4", "--output", "one.json"];
    let args: Vec<&str> = bots.iter().map(String::as_str).chain(play).collect();
    arbiter(&folder, &args).expect(0);
    let printed = arbiter(&folder, &["report", "one.json", "--format", "html"]).expect(0);
    arbiter(&folder, &["report", "one.json", "-o", "pages/one.html"]).expect(0);
    assert_eq!(printed, fs::read_to_string(folder.join("pages/one.html")).unwrap());
    let shown = printed.split("<script").next().unwrap();
    for word in ["Standings", "Score by seat", "Time a move", "Greedy", "Random", "Games"] {
        assert!(shown.contains(word), "{word}");
    }
    let refused = arbiter(&folder, &["report", "one.json", "-o", "one.txt"]);
    assert_eq!((refused.code, refused.err.contains("--format html")), (2, true), "{}", refused.err);
}

#[test]
fn a_page_tells_options_in_words_and_whose_ratings_it_draws() {
    let (folder, random) = (scratch("page-words"), sample_bot("random"));
    let play = ["--game", "hex", "-O", "size=4", "-O", "swap=false", "--rounds", "3", "--output", "cup.json"];
    arbiter(&folder, &[&["tournament"], &[&*random; 7][..], &play].concat()).expect(0);
    let page = arbiter(&folder, &["report", "cup.json", "--format", "html"]).expect(0);
    let shown = page.split("<script").next().unwrap();
    assert!(shown.contains("cup.json · size 4 · swap off<"), "{shown}");
    assert!(shown.contains("of all who had played, of the first 6 of 7 players."), "{shown}");
}

#[test]
fn a_page_says_nothing_of_games_that_there_were_not() {
    let folder = scratch("page-nothing");
    let mut report = json_of(sample("tic-tac-toe.json"));
    (report["games"], report["games_ended"], report["totals"]) = (json!([]), 0.into(), json!([]));
    fs::write(folder.join("none.json"), report.to_string()).unwrap();
    let page = arbiter(&folder, &["report", "none.json", "--format", "html"]).expect(0);
    let shown = page.split("<script").next().unwrap();
    assert!(shown.contains("No game has ended.") && shown.contains("How it was played"));
    for untrue in ["Standings", "The dot is", "Place", "0 won", "<h2>Games"] {
        assert!(!shown.contains(untrue), "{untrue}");
    }
}

#[test]
fn a_seat_of_a_game_of_three_has_no_more_points_than_there_are_and_a_fault_is_told_in_a_sentence() {
    let folder = scratch("page-three");
    let star = sample("chinese-checkers-3-seats.json");
    let page = arbiter(&folder, &["report", star.to_str().unwrap(), "--format", "html"]).expect(0);
    let seats = page.split("<h2>Score by seat").nth(1).unwrap().split("</table>").next().unwrap();
    assert!(page.contains("<h1>Chinese checkers for 3: "), "the same bots may meet in fours, too");
    let cells: Vec<(f64, f64)> = (seats.split("<small>").skip(1))
        .map(|cell| cell.split('<').next().unwrap().split_once(" of ").unwrap())
        .map(|(made, most)| (made.parse().unwrap(), most.parse().unwrap()))
        .collect();
    assert!(cells.len() > 3 && cells.iter().all(|(made, most)| made <= most), "{cells:?}");
    let mut report = hostile_report();
    report["games"][0]["ending"]["fault"]["sentence"] = "played a1: a1 turns no disc.".into();
    fs::write(folder.join("fault.json"), report.to_string()).unwrap();
    let page = arbiter(&folder, &["report", "fault.json", "--format", "html"]).expect(0);
    assert!(
        page.contains("a1 turns no disc<span class=\"quiet\">, in <a class=\"game\""),
        "a fault and its game are one sentence"
    );
}

/// A bot that cannot be loaded loses all of its games, and a class of them would fill sheets with the same sentence.
#[test]
fn a_fault_that_lost_many_games_is_told_once_with_the_other_games() {
    let (folder, random) = (scratch("page-faults"), sample_bot("random"));
    fs::write(folder.join("broken.so"), "no plugin").unwrap();
    let play = ["--game", "tic-tac-toe", "--rounds", "2", "--output", "cup.json", "--quiet"];
    let bots = [&[&*random; 11][..], &["broken.so"]].concat();
    arbiter(&folder, &[&["tournament"], &bots[..], &play].concat()).expect(0);
    let page = arbiter(&folder, &["report", "cup.json", "--format", "html"]).expect(0);
    let faults = page.split("<h2>Faults").nth(1).unwrap().split("</section>").next().unwrap();
    assert_eq!((faults.matches("<li>").count(), faults.matches("could not be loaded").count()), (1, 1));
    assert!(faults.contains("The same in ") && faults.contains(" and 23 more games</p>"), "{faults}");
    assert_eq!(faults.matches("class=\"game\"").count(), 21, "{faults}");
    assert!(page.contains("class=\"card wide many\""), "twelve columns have no room on paper in full");
}

/// Whoever meets all others has the most points with half of them.
#[test]
fn a_challenger_is_not_first_for_having_played_more_games_than_the_others() {
    let (folder, random, greedy) = (scratch("page-gauntlet"), sample_bot("random"), sample_bot("greedy"));
    let play = ["--game", "othello", "--schedule", "gauntlet", "--output", "cup.json", "--quiet"];
    arbiter(&folder, &[&["tournament", &*random, &*greedy, &*greedy], &play[..]].concat()).expect(0);
    let page = arbiter(&folder, &["report", "cup.json", "--format", "html"]).expect(0);
    let lead = page.split("class=\"lead\">").nth(1).unwrap().split('<').next().unwrap();
    assert!(lead.starts_with("Of the points in its games, Random made "), "{lead}");
    assert!(lead.contains(" %; 4 games were played."), "{lead}");
}
