//! `--web`: who is answered by the pages of a match, asked with raw requests. What only a browser can tell is in
//! `browser.rs`.

use crate::support::{arbiter, command, sample_bot, scratch, send};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tungstenite::protocol::Role;
use tungstenite::{Message, WebSocket};

/// A match that waits for people, until this is dropped.
struct Served {
    child: Child,
    port: u16,
    /// The token of all who play, of each who plays alone, and of whoever watches.
    tokens: Vec<String>,
}

impl Served {
    fn start(test: &str) -> Served {
        let served = Served::with(test, &["human:Ana", "human:Bob", "--game", "tic-tac-toe", "--web"]);
        assert_eq!(served.tokens.len(), 4, "a link for all, one for each, and one to watch");
        served
    }

    fn with(test: &str, args: &[&str]) -> Served {
        let folder = scratch(test);
        let mut command = command(&folder, args);
        command.env("XDG_STATE_HOME", &folder).stderr(Stdio::piped()).stdout(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut tokens = Vec::new();
        let mut port = 0;
        for line in BufReader::new(child.stderr.take().unwrap()).lines() {
            let line = line.unwrap();
            let Some((before, token)) = line.split_once("/#t=") else { continue };
            port = before.rsplit_once(':').unwrap().1.parse().unwrap();
            tokens.push(token.to_owned());
            if line.contains("to watch") {
                break;
            }
        }
        Served { child, port, tokens }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// The head of what is answered to these bytes.
    fn answer(&self, request: &str) -> String {
        let mut stream = self.connect();
        // Whoever is refused early may find the connection closed before everything is sent.
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        for byte in BufReader::new(stream).bytes() {
            let Ok(byte) = byte else { break };
            answer.push(byte);
            if answer.ends_with(b"\r\n\r\n") {
                break;
            }
        }
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// What is answered to a request with these lines in its head.
    fn get(&self, path: &str, lines: &[&str]) -> String {
        let lines: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
        self.answer(&format!("GET {path} HTTP/1.1\r\nConnection: close\r\n{lines}\r\n"))
    }

    fn own_name(&self) -> String {
        format!("Host: 127.0.0.1:{}", self.port)
    }

    /// The head of a request for a socket.
    fn upgrade(&self, token: &str, more: &str) -> String {
        format!(
            "GET /api/page HTTP/1.1\r\n{}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: arbiter, {token}\r\n{more}\r\n",
            self.own_name()
        )
    }

    fn page(&self, token: &str) -> Page {
        let mut stream = BufReader::new(self.connect());
        stream.get_mut().write_all(self.upgrade(token, "").as_bytes()).unwrap();
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(stream.read_line(&mut head).unwrap(), 0, "{head}");
        }
        assert!(head.starts_with("HTTP/1.1 101"), "{head}");
        let early = stream.buffer().to_vec();
        let socket = WebSocket::from_partially_read(stream.into_inner(), early, Role::Client, None);
        let mut page = Page { socket, asked: 0 };
        page.say(r#"{"act":"hello"}"#);
        page
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// The other end of a socket, as a browser would be.
struct Page {
    socket: WebSocket<TcpStream>,
    asked: u32,
}

impl Page {
    fn say(&mut self, text: &str) {
        // A message that is too long may be cut off.
        let _ = self.socket.send(Message::text(text));
    }

    /// What is answered to a question, which gets a number.
    fn ask(&mut self, mut question: Value) -> String {
        self.asked += 1;
        question["n"] = self.asked.into();
        self.say(&question.to_string());
        self.hear_of(&format!("\"re\":{}", self.asked))
    }

    /// Asks, and makes sure that these words are in the answer.
    #[track_caller]
    fn is_told(&mut self, question: Value, words: &str) {
        let answer = self.ask(question.clone());
        assert!(answer.contains(words), "{question}: not '{words}', but {answer}");
    }

    /// The next message, unless the connection has ended.
    fn hear(&mut self) -> Option<String> {
        match self.socket.read() {
            Ok(Message::Text(text)) => Some(text.to_string()),
            _ => None,
        }
    }

    /// The next message with this in it.
    fn hear_of(&mut self, what: &str) -> String {
        loop {
            let message = self.hear().unwrap_or_else(|| panic!("the page was told nothing of {what}"));
            if message.contains(what) {
                return message;
            }
        }
    }
}

/// What is said of a question that did what it asked for.
const OK: &str = "\"ok\":true";

/// Sets a row of the menu.
fn set(row: &str, text: &str) -> Value {
    json!({ "act": "set", "row": row, "text": text })
}

fn code(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("no answer")
}

#[test]
fn pages_answer_nobody_but_pages_of_their_own() {
    let served = Served::start("web-guard");
    let own = served.own_name();
    let (watch, all) = (&served.tokens[3], &served.tokens[0]);
    let page = served.get("/", &[&own]);
    assert_eq!(code(&page), "200", "{page}");
    let too_long = format!("POST /api/once HTTP/1.1\r\n{own}\r\nContent-Length: 16385\r\n\r\n");
    let in_pieces = format!(
        "POST /api/once HTTP/1.1\r\n{own}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n4001\r\n{}\r\n0\r\n\r\n",
        "x".repeat(0x4001)
    );
    let cases: Vec<(&str, &str, String)> = vec![
        ("a name that is pointed here", "421", served.get("/", &["Host: evil.example"])),
        ("the own name as part of another", "421", served.get("/", &["Host: localhost.evil.example"])),
        ("no name", "421", served.get("/", &[])),
        ("two names", "421", served.get("/", &[&own, "Host: evil.example"])),
        ("another page", "403", served.get("/", &[&own, "Origin: http://evil.example"])),
        ("the same machine on another port", "403", served.get("/", &[&own, "Origin: http://127.0.0.1:1"])),
        ("a file opened from disk", "403", served.get("/", &[&own, "Origin: null"])),
        ("another site", "403", served.get("/api/page", &[&own, "Sec-Fetch-Site: cross-site"])),
        ("a neighbouring site", "403", served.get("/api/page", &[&own, "Sec-Fetch-Site: same-site"])),
        (
            "two sites",
            "403",
            served.get("/api/page", &[&own, "Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"]),
        ),
        ("no token", "401", served.get("/api/page", &[&own])),
        ("a wrong token", "401", served.answer(&served.upgrade(&"0".repeat(32), "Connection: close\r\n"))),
        (
            "a wrong token of a page that asks why",
            "401",
            served.get("/api/page", &[&own, &format!("Authorization: Bearer {}", "0".repeat(32))]),
        ),
        ("the beginning of a token", "401", served.answer(&served.upgrade(&all[..31], ""))),
        (
            "a token that is sent as if by itself",
            "401",
            served.get("/api/page", &[&own, &format!("Cookie: t={all}")]),
        ),
        ("a token in the address", "401", served.get(&format!("/api/page?t={all}"), &[&own])),
        (
            "a socket from another page",
            "403",
            served.answer(&served.upgrade(watch, "Origin: http://evil.example\r\n")),
        ),
        ("a long body", "413", served.answer(&too_long)),
        ("a long body in pieces", "413", served.answer(&in_pieces)),
        ("a long head", "431", served.get("/", &[&own, &format!("X: {}", "x".repeat(20_000))])),
        (
            "a code that nobody was given",
            "401",
            served.answer(&format!(
                "POST /api/once HTTP/1.1\r\n{own}\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc"
            )),
        ),
        (
            "another method",
            "405",
            served.answer(&format!("DELETE / HTTP/1.1\r\n{own}\r\nConnection: close\r\n\r\n")),
        ),
        ("a file of the machine", "404", served.get("/..%2f..%2fetc%2fpasswd", &[&own])),
        ("no HTTP at all", "400", served.answer("\x16\x03\x01\r\n\r\n")),
    ];
    let wrong: Vec<String> = cases
        .iter()
        .filter(|(_, expected, answer)| code(answer) != *expected)
        .map(|(what, expected, answer)| format!("{what}: {expected} expected: {answer}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for line in [
        "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'",
        "frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "x-frame-options: DENY",
        "referrer-policy: no-referrer",
        "cross-origin-resource-policy: same-origin",
        "cache-control: no-store",
    ] {
        assert!(page.contains(line), "{line} is missing: {page}");
    }
    assert!(!page.contains("unsafe") && !page.contains("style="), "{page}");
    assert!(TcpStream::connect(("127.0.0.2", served.port)).is_err(), "nothing listens on other addresses");
}

#[test]
fn only_the_link_of_a_seat_plays_for_it_and_nothing_that_is_said_harms_the_match() {
    let served = Served::start("web-seats");
    let pick =
        |seat: u8, cell: u32| json!({ "act": "pick", "game": 1, "seat": seat, "ply": 0, "cell": cell });
    let (mut ana, mut bob, mut watch) =
        (served.page(&served.tokens[1]), served.page(&served.tokens[2]), served.page(&served.tokens[3]));
    ana.hear_of("\"ev\":\"draft\"");
    for other in [&mut bob, &mut watch] {
        other.is_told(pick(0, 0), "not-your-turn");
    }
    ana.is_told(pick(0, 65_535), "off-board");
    ana.is_told(pick(255, 0), "stale");
    for nonsense in ["", "{}", "[]", r#"{"act":"fly"}"#, r#"{"act":"pick","cell":-1}"#, &" ".repeat(70_000)] {
        let mut page = served.page(&served.tokens[1]);
        page.say(nonsense);
        while page.hear().is_some() {}
    }
    ana.is_told(pick(0, 4), OK);
    assert!(watch.hear_of("\"ev\":\"move\"").contains("\"path\":[4]"));
    // A second click does no harm.
    ana.is_told(pick(0, 5), "stale");
}

/// What is typed there would go nowhere, and boards would scroll the links away.
#[test]
fn a_terminal_at_which_nobody_plays_asks_for_nothing() {
    use crate::terminal::pty::{Setup, Terminal};
    let args = ["human:Ana", "human:Bob", "--game", "tic-tac-toe", "--web"];
    let mut terminal = Terminal::start(&scratch("web-terminal"), &args, Setup::default());
    terminal.wait_for("Game 1, Tic-tac-toe");
    terminal.keys("\x03");
    terminal.exit_code();
    let text = terminal.text();
    assert!(!text.contains("Type a move") && !text.contains("to move"), "{text}");
}

/// Whoever sits at the page can do nothing meanwhile.
#[test]
fn a_program_that_is_stopped_and_goes_on_costs_nobody_at_a_page_a_game() {
    let args = ["human:Ana", "human:Bob", "--game", "tic-tac-toe", "--web", "--human-time", "10s+0s"];
    let served = Served::with("web-stopped", &args);
    let mut ana = served.page(&served.tokens[1]);
    ana.hear_of("\"ev\":\"draft\"");
    ana.ask(json!({ "act": "shown", "game": 1, "seat": 0, "ply": 0 }));
    send(Signal::STOP, served.child.id());
    sleep(Duration::from_secs(11));
    send(Signal::CONT, served.child.id());
    ana.hear_of("\"ev\":\"draft\"");
    ana.is_told(json!({ "act": "pick", "game": 1, "seat": 0, "ply": 0, "cell": 4 }), OK);
    ana.hear_of("\"ev\":\"move\"");
}

/// A match that is only shown on a page ends with the game that is being played: nobody has to wait for its pace.
#[test]
fn a_game_on_a_page_is_not_slowed_down_any_more_once_a_signal_has_come() {
    let random = sample_bot("random");
    let mut served =
        Served::with("web-delay", &[&random, &random, "--game", "tic-tac-toe", "--web", "--delay", "1h"]);
    served.page(&served.tokens[0]).hear_of("\"ev\":\"move\"");
    send(Signal::TERM, served.child.id());
    let until = Instant::now() + Duration::from_secs(60);
    while served.child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < until, "it still waits after its moves");
        sleep(Duration::from_millis(20));
    }
}

/// One who never came would otherwise take the next one along.
#[test]
fn whoever_is_away_for_too_long_leaves_alone() {
    let args =
        ["human:Ana", "human:Bob", "--game", "tic-tac-toe", "--games", "2", "--web", "--human-away", "1s"];
    let served = Served::with("web-away", &args);
    let mut bob = served.page(&served.tokens[2]);
    bob.hear_of("player 1 left the game");
    // He begins the second game.
    bob.hear_of("\"ev\":\"draft\"");
    bob.is_told(json!({ "act": "pick", "game": 2, "seat": 0, "ply": 0, "cell": 4 }), OK);
}

/// Who looks on would otherwise not know whom everybody waits for.
#[test]
fn whoever_has_no_page_is_named_also_after_another_one_who_had_none() {
    let args = ["human:Ana", "human:Bob", "--game", "tic-tac-toe", "--games", "2", "--web"];
    let times = ["--human-away", "100ms", "--human-time", "60s"];
    let served = Served::with("web-nobody", &[&args[..], &times].concat());
    let mut watch = served.page(&served.tokens[3]);
    watch.hear_of("No page of Ana is open");
    watch.hear_of("No page of Bob is open");
}

/// It would otherwise run on where others look, and jump back when the person returns.
#[test]
fn everybody_sees_whether_the_clock_of_a_person_runs() {
    let args = ["human:Ana", "human:Bob", "--game", "tic-tac-toe", "--web", "--human-time", "60s+0s"];
    let served = Served::with("web-clocks", &args);
    let mut watch = served.page(&served.tokens[3]);
    let mut hear = |what: &str, is_meant: fn(&Value) -> bool| loop {
        let message = watch.hear().unwrap_or_else(|| panic!("nobody was told that {what}"));
        let message: Value = serde_json::from_str(&message).unwrap();
        let events = message["events"].as_array().into_iter().flatten();
        if events.filter(|event| event["ev"] == "draft").any(is_meant) {
            return;
        }
    };
    hear("Ana is not there", |draft| draft["is_stopped"] == true && draft["gone"] == 0.0);
    let mut ana = served.page(&served.tokens[1]);
    hear("she is there", |draft| draft["is_stopped"] == false);
    ana.say(r#"{"n":1,"act":"shown","game":1,"seat":0,"ply":0}"#);
    hear("her clock runs", |draft| draft["is_stopped"] == false && draft["gone"].is_number());
    drop(ana);
    hear("it stands", |draft| draft["is_stopped"] == true && draft["gone"].as_f64() > Some(0.0));
}

/// The page would otherwise have nobody behind it.
#[test]
fn what_is_wrong_with_a_bot_that_was_chosen_on_a_page_is_said_there_and_another_can_be_chosen() {
    let served = Served::with("web-menu-refused", &["--web"]);
    let mut owner = served.page(&served.tokens[0]);
    owner.hear_of("\"menu\"");
    for (row, text) in [("seat-1", "Minimax"), ("with-1", "foo=bar")] {
        owner.is_told(set(row, text), OK);
    }
    owner.say(r#"{"n":2,"act":"start"}"#);
    while owner.hear().is_some() {}
    // Pages connect again by themselves.
    let mut owner = served.page(&served.tokens[0]);
    let told = owner.hear_of("there is no option foo");
    assert!(told.contains("\"more\":true"), "{told}");
    owner.say(r#"{"n":3,"act":"next","text":"another"}"#);
    while owner.hear().is_some() {}
    served.page(&served.tokens[0]).hear_of("\"menu\"");
}

#[test]
fn whoever_has_not_the_owners_link_chooses_nothing_and_nobody_chooses_what_is_not_offered() {
    let served = Served::with("web-menu", &["--web"]);
    let (mut owner, mut watch) = (served.page(&served.tokens[0]), served.page(&served.tokens[1]));
    assert!(watch.hear_of("\"menu\"").contains("null"), "whoever watches is shown what may be chosen");
    for said in [set("game", "Tic-tac-toe"), json!({ "act": "start" })] {
        watch.is_told(said, "not-the-owner");
    }
    for (row, text) in [
        ("game", "go"),
        ("seat-0", "/bin/sh"),
        ("seat-0", "program:sh"),
        ("seat-9", "a person here"),
        ("name-0", "Ana\nBob"),
        ("name-0", &"x".repeat(41)),
        ("games", "many"),
        ("take-backs", "maybe"),
        ("output", "x.json"),
        ("", ""),
    ] {
        owner.is_told(set(row, text), "\"ok\":false");
    }
    for said in [json!({ "act": "next", "text": "again" }), json!({ "act": "pick", "cell": 1 })] {
        owner.is_told(said, "stale");
    }
    for (row, text) in [("game", "Tic-tac-toe"), ("seat-1", "a person here"), ("name-0", "--output=x")] {
        owner.is_told(set(row, text), OK);
    }
    owner.is_told(json!({ "act": "start" }), OK);
    while owner.hear().is_some() {}
    let (mut owner, mut watch) = (served.page(&served.tokens[0]), served.page(&served.tokens[1]));
    assert!(owner.hear_of("\"ev\":\"start\"").contains("--output=x"), "a name is a name and no option");
    for (ply, cell) in [0, 3, 1, 4, 2].into_iter().enumerate() {
        let seat = ply % 2;
        let pick = json!({ "act": "pick", "game": 1, "seat": seat, "ply": ply, "cell": cell });
        // The turn before may not have ended yet.
        while !owner.ask(pick.clone()).contains(OK) {}
    }
    watch.hear_of("\"ev\":\"over\"");
    watch.is_told(json!({ "act": "next", "text": "quit" }), "not-the-owner");
}

#[test]
fn whoever_opens_many_connections_keeps_no_page_out_and_none_from_its_game() {
    let served = Served::start("web-flood");
    let mut page = served.page(&served.tokens[3]);
    page.hear_of("\"ev\":\"draft\"");
    let idle: Vec<TcpStream> = (0..200).map(|_| served.connect()).collect();
    assert_eq!(code(&served.get("/", &[&served.own_name()])), "200");
    page.is_told(json!({ "act": "beat" }), OK);
    drop(idle);
    let crowd: Vec<TcpStream> = (0..70)
        .map(|_| {
            let mut stream = served.connect();
            stream.write_all(served.upgrade(&served.tokens[3], "").as_bytes()).unwrap();
            stream
        })
        .collect();
    let refused = served.answer(&served.upgrade(&served.tokens[3], "Connection: close\r\n"));
    assert_eq!(code(&refused), "503", "those who watch are no more than they may be");
    served.page(&served.tokens[1]).hear_of("\"ev\":\"draft\"");
    drop(crowd);
}

/// The wall of a folder.
fn hang(folder: &Path) -> Served {
    let mut child = command(folder, &["serve", "."]).stderr(Stdio::piped()).spawn().unwrap();
    let link = BufReader::new(child.stderr.take().unwrap()).lines().nth(1).unwrap().unwrap();
    let (before, token) = link.split_once("/#t=").unwrap();
    let port = before.rsplit_once(':').unwrap().1.parse().unwrap();
    Served { child, port, tokens: vec![token.to_owned()] }
}

fn bearer(token: &str) -> String {
    format!("Authorization: Bearer {token}")
}

/// What hangs on a wall, once the folder has been looked at.
fn cards(wall: &Served) -> String {
    let lines = [&*wall.own_name(), &bearer(&wall.tokens[0]), "Connection: close"].join("\r\n");
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let (mut stream, mut shown) = (wall.connect(), String::new());
        stream.write_all(format!("GET /api/wall/0 HTTP/1.1\r\n{lines}\r\n\r\n").as_bytes()).unwrap();
        stream.read_to_string(&mut shown).unwrap();
        if code(&shown) != "204" {
            return shown;
        }
        assert!(Instant::now() < until, "the folder has not been looked at");
        sleep(Duration::from_millis(20));
    }
}

/// A bot that cannot be loaded would have all the room for faults to itself.
#[test]
fn the_wall_tells_the_newest_faults_that_are_not_the_same() {
    let (folder, random) = (scratch("web-wall-faults"), sample_bot("random"));
    fs::write(folder.join("broken.so"), "no plugin").unwrap();
    let play = ["--game", "tic-tac-toe", "--rounds", "3", "--output", "cup.json", "--quiet"];
    arbiter(&folder, &[&["tournament", &*random, "broken.so"], &play[..]].concat()).expect(0);
    let wall = hang(&folder);
    let shown = cards(&wall);
    assert_eq!(shown.matches("could not be loaded").count(), 1, "{shown}");
}

#[test]
fn the_wall_shows_nothing_to_whoever_has_not_its_link() {
    let folder = scratch("web-wall");
    let wall = hang(&folder);
    let own = wall.own_name();
    for path in ["/api/wall/0", "/api/report/0"] {
        assert_eq!(code(&wall.get(path, &[&own])), "401", "{path}");
        assert_eq!(code(&wall.get(path, &[&own, &bearer("0")])), "401", "{path}");
        let from_elsewhere = wall.get(path, &[&own, &bearer(&wall.tokens[0]), "Origin: http://evil.example"]);
        assert_eq!(code(&from_elsewhere), "403", "{path}");
    }
    assert_eq!(code(&cards(&wall)), "200");
    assert_eq!(code(&wall.get("/api/report/7", &[&own, &bearer(&wall.tokens[0])])), "404");
    assert_eq!(arbiter(&folder, &["serve", "nowhere"]).code, 4);
}
