//! The steps, in the order in which they are done.

use super::finding::Rule;
use super::{Games, Run, Step, clocks, file, habits, play, variants};

/// Games in which a seat can be without a legal move.
const WITH_PASSES: Games = Games::Only(&["othello", "chinese-checkers"]);
/// Games that fill up until one cell is left.
const WITH_LAST_CELLS: Games = Games::Only(&["othello", "connect-four", "tic-tac-toe", "ultimate"]);
/// Games for more than two seats.
const WITH_SEATS: Games = Games::Only(&["chinese-checkers"]);
/// Games that can be made to go on for ever.
const ENDLESS: Games = Games::Only(&["chinese-checkers", "stacks"]);

/// Every step.
pub const STEPS: &[Step] = &[
    Step {
        id: "load",
        games: Games::None,
        about: "what the file shows and says",
        rule: None,
        hint: "",
        run: Run::Look(file::look),
    },
    Step {
        id: "begin",
        games: Games::Every,
        about: "create, new_game in each seat, destroy",
        rule: None,
        hint: "a game may be broken off before the bot has had a turn",
        run: Run::Play(play::begins_and_ends),
    },
    Step {
        id: "first-move",
        games: Games::Every,
        about: "the first turn of each seat",
        rule: None,
        hint: "",
        run: Run::Play(play::first_move),
    },
    Step {
        id: "whole-game",
        games: Games::Every,
        about: "a game to its end in each seat",
        rule: None,
        hint: "",
        run: Run::Play(play::whole_game),
    },
    Step {
        id: "opening",
        games: Games::Every,
        about: "opening moves that nobody chose",
        rule: Some(Rule {
            place: "arbiter_event",
            says: "a move seat, move; FORCED if the player did not choose it",
        }),
        hint: "a move with ARBITER_EVENT_FORCED, of the bot's own seat too, is on the board like any other",
        run: Run::Play(play::opening),
    },
    Step {
        id: "odd-position",
        games: Games::Every,
        about: "games that begin in the middle of another",
        rule: Some(Rule {
            place: "arbiter_game.start",
            says: "before the opening moves, which played() tells as FORCED",
        }),
        hint: "begin with game->start (or start_text), not with the usual start; ply 0 is not the usual start either",
        run: Run::Play(play::odd_position),
    },
    Step {
        id: "only-move",
        games: WITH_LAST_CELLS,
        about: "a turn with one legal move",
        rule: None,
        hint: "",
        run: Run::Play(play::only_move),
    },
    Step {
        id: "pass",
        games: WITH_PASSES,
        about: "turns in which a side can only pass",
        rule: Some(Rule {
            place: "arbiter_turn",
            says: "A turn in which you can only pass is played for you.",
        }),
        hint: "two turns of one seat may follow each other, and the bot's own pass is told by played",
        run: Run::Play(play::forced_pass),
    },
    Step {
        id: "asked-again",
        games: Games::Every,
        about: "the same turn again, after a refused answer",
        rule: Some(Rule {
            place: "arbiter_turn.attempt",
            says: "0; more if your answer to this very turn was refused",
        }),
        hint: "the board has not changed: play a move on the bot's own board when played tells it, not when answering",
        run: Run::Play(play::asked_again),
    },
    Step {
        id: "second-game",
        games: Games::Every,
        about: "one game after another in the same process",
        rule: Some(Rule { place: "arbiter_bot.new_game", says: "A new game for this instance" }),
        hint: "set everything anew in new_game: the seat, the board, the tables",
        run: Run::Play(play::second_game),
    },
    Step {
        id: "broken-off",
        games: Games::Every,
        about: "a new game after one that nobody said was over",
        rule: Some(Rule {
            place: "arbiter_bot.new_game",
            says: "the one before, if any, is over, or was broken off without game_over",
        }),
        hint: "free what the last game left in new_game, not only in game_over",
        run: Run::Play(play::broken_off),
    },
    Step {
        id: "long-game",
        games: ENDLESS,
        about: "a game of more than 500 plies",
        rule: Some(Rule { place: "arbiter_turn.history", says: "the moves played so far, oldest first" }),
        hint: "no array for a game's moves is long enough: games may have no limit",
        run: Run::Play(play::long_game),
    },
    Step {
        id: "options",
        games: Games::WithTrials,
        about: "options that change the board and the rules",
        rule: Some(Rule { place: "arbiter_game", says: "shape of the cells array" }),
        hint: "take sizes from game->width, height and depth, and rules from game->rules; or return \
               ARBITER_ERR_UNSUPPORTED from new_game",
        run: Run::Play(variants::options),
    },
    Step {
        id: "earthquake",
        games: Games::Only(&["stacks"]),
        about: "tokens that fall",
        rule: Some(Rule {
            place: "arbiter_event",
            says: "chance seat ARBITER_SEAT_CHANCE, NO_MOVE, text \"b2:1 c3:4\" (tokens that fell)",
        }),
        hint: "take what fell off the bot's own board, or copy event->pos; apply draws no chance",
        run: Run::Play(variants::earthquakes),
    },
    Step {
        id: "seats",
        games: WITH_SEATS,
        about: "three, four and six seats, the bot in each",
        rule: Some(Rule { place: "arbiter_game.players", says: "seats in this game, 2 to 6" }),
        hint: "the other seat is not 1 - seat: go by game->players, and by event->seat",
        run: Run::Play(variants::many_seats),
    },
    Step {
        id: "opponent-out",
        games: WITH_SEATS,
        about: "another seat leaves, and the game goes on",
        rule: Some(Rule {
            place: "arbiter_event",
            says: "elimination seat, NO_MOVE, flag ELIMINATED, text is the reason",
        }),
        hint: "event->move is no move here; take that seat's pieces off the bot's own board and skip its turns",
        run: Run::Play(variants::opponent_out),
    },
    Step {
        id: "being-out",
        games: WITH_SEATS,
        about: "the bot's own seat leaves, and another game begins",
        rule: Some(Rule {
            place: "arbiter_bot.played",
            says: "A seat that leaves the game is told of that too, and then nothing until game_over.",
        }),
        hint: "game_over and new_game may come without any turn before them",
        run: Run::Play(variants::being_out),
    },
    Step {
        id: "tiny-clock",
        games: Games::Every,
        about: "10 ms for each move",
        rule: Some(Rule {
            place: "arbiter_turn.hard_ns",
            says: "answer within this time or lose what the match says",
        }),
        hint: "call host->should_stop at every node, do not sleep, and keep freeing and printing out of the turn",
        run: Run::Play(clocks::tiny_clock),
    },
    Step {
        id: "clock-nearly-out",
        games: Games::Every,
        about: "a long clock of which 20 ms are left",
        rule: Some(Rule {
            place: "arbiter_turn.hard_ns",
            says: "answer within this time or lose what the match says",
        }),
        hint: "plan by turn->hard_ns and soft_ns of every turn; game->time_ns is the clock at the start",
        run: Run::Play(clocks::clock_nearly_out),
    },
    Step {
        id: "stop-level",
        games: Games::Every,
        about: "ENOUGH, then STOP, long before time is over",
        rule: Some(Rule {
            place: "ARBITER_STOP",
            says: "answer now: hard_ns is nearly over or somebody pressed \"move now\"",
        }),
        hint: "call host->should_stop while thinking, and return the best move so far when it says ARBITER_STOP",
        run: Run::Play(clocks::stop_level),
    },
    Step {
        id: "between-turns",
        games: Games::Every,
        about: "nothing is thought on the opponent's time",
        rule: Some(Rule { place: "Threads", says: "must be asleep when a call returns" }),
        hint: "let worker threads wait on a condition, not in a loop; stop the search before returning",
        run: Run::Play(habits::between_turns),
    },
    Step {
        id: "same-seed",
        games: Games::Every,
        about: "the same game twice from the same seed",
        rule: None,
        hint: "",
        run: Run::Play(play::same_seed),
    },
    Step {
        id: "output",
        games: Games::Every,
        about: "what it prints",
        rule: None,
        hint: "",
        run: Run::Play(habits::output),
    },
    Step {
        id: "memory",
        games: Games::Every,
        about: "how much memory it uses",
        rule: None,
        hint: "",
        run: Run::Play(habits::memory),
    },
];
