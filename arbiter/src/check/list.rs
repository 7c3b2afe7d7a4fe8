//! The steps, in the order in which they are done.

use super::finding::Rule;
use super::{Games, Play, Run, Step, clocks, file, habits, play, variants};

/// Games in which a seat can be without a legal move.
const WITH_PASSES: Games = Games::Only(&["othello", "chinese-checkers"]);
/// Games that fill up until one cell is left.
const WITH_LAST_CELLS: Games = Games::Only(&["othello", "connect-four", "tic-tac-toe", "ultimate"]);
/// Games for more than two seats.
const WITH_SEATS: Games = Games::Only(&["chinese-checkers"]);
/// Games that can be made to go on for ever.
const ENDLESS: Games = Games::Only(&["chinese-checkers", "stacks"]);

pub(crate) const STEPS: &[Step] = &[
    Step::new("load", "what the file shows and says", Run::Look(file::look)),
    Step::play("begin", Games::Every, "create, new_game in each seat, destroy", play::begins_and_ends)
        .hint("a game may be broken off before the bot has had a turn"),
    Step::play("first-move", Games::Every, "the first turn of each seat", play::first_move),
    Step::play("whole-game", Games::Every, "a game to its end in each seat", play::whole_game),
    Step::play("opening", Games::Every, "opening moves that nobody chose", play::opening)
        .by("arbiter_event", "a move seat, move; FORCED if the player did not choose it")
        .hint("a move with ARBITER_EVENT_FORCED, of the bot's own seat too, is on the board like any other"),
    Step::play("odd-position", Games::Every, "games that begin in the middle of another", play::odd_position)
        .by("arbiter_game.start", "before the opening moves, which played() tells as FORCED")
        .hint("begin with game->start (or start_text), not with the usual start; ply 0 is not the usual start either"),
    Step::play("only-move", WITH_LAST_CELLS, "a turn with one legal move", play::only_move),
    Step::play("pass", WITH_PASSES, "turns in which a side can only pass", play::forced_pass)
        .by("arbiter_turn", "A turn in which you can only pass is played for you.")
        .hint("two turns of one seat may follow each other, and the bot's own pass is told by played"),
    Step::play("asked-again", Games::Every, "the same turn again, after a refused answer", play::asked_again)
        .by("arbiter_turn.attempt", "0; more if your answer to this very turn was refused")
        .hint("the board has not changed: play a move on the bot's own board when played tells it, not when answering"),
    Step::play("second-game", Games::Every, "one game after another in the same process", play::second_game)
        .by("arbiter_bot.new_game", "A new game for this instance")
        .hint("set everything anew in new_game: the seat, the board, the tables"),
    Step::play("broken-off", Games::Every, "a new game after one that nobody said was over", play::broken_off)
        .by("arbiter_bot.new_game", "the one before, if any, is over, or was broken off without game_over")
        .hint("free what the last game left in new_game, not only in game_over"),
    Step::play("long-game", ENDLESS, "a game of more than 500 plies", play::long_game)
        .by("arbiter_turn.history", "the moves played so far, oldest first")
        .hint("no array for a game's moves is long enough: games may have no limit"),
    Step::play("options", Games::WithTrials, "options that change the board and the rules", variants::options)
        .by("arbiter_game", "shape of the cells array")
        .hint("take sizes from game->width, height and depth, and rules from game->rules; or return \
               ARBITER_ERR_UNSUPPORTED from new_game"),
    Step::play("earthquake", Games::Only(&["stacks"]), "tokens that fall", variants::earthquakes)
        .by("arbiter_event", "chance seat ARBITER_SEAT_CHANCE, NO_MOVE, text \"b2:1 c3:4\" (tokens that fell)")
        .hint("take what fell off the bot's own board, or copy event->pos; apply draws no chance"),
    Step::play("seats", WITH_SEATS, "three, four and six seats, the bot in each", variants::many_seats)
        .by("arbiter_game.players", "seats in this game, 2 to 6")
        .hint("the other seat is not 1 - seat: go by game->players, and by event->seat"),
    Step::play("opponent-out", WITH_SEATS, "another seat leaves, and the game goes on", variants::opponent_out)
        .by("arbiter_event", "elimination seat, NO_MOVE, flag ELIMINATED, text is the reason")
        .hint("event->move is no move here; take that seat's pieces off the bot's own board and skip its turns"),
    Step::play("being-out", WITH_SEATS, "the bot's own seat leaves, and another game begins", variants::being_out)
        .by("arbiter_bot.played", "A seat that leaves the game is told of that too, and then nothing until game_over.")
        .hint("game_over and new_game may come without any turn before them"),
    Step::play("tiny-clock", Games::Every, "10 ms for each move", clocks::tiny_clock)
        .by("arbiter_turn.hard_ns", "answer within this time, or you have lost")
        .hint("ask should_stop at every node, do not sleep, and keep freeing and printing out of the turn"),
    Step::play("clock-nearly-out", Games::Every, "a long clock of which 20 ms are left", clocks::clock_nearly_out)
        .by("arbiter_turn.hard_ns", "answer within this time, or you have lost")
        .hint("plan by turn->hard_ns and soft_ns of every turn; game->time_ns is the clock at the start"),
    Step::play("stop-level", Games::Every, "ENOUGH, then STOP, long before time is over", clocks::stop_level)
        .by("ARBITER_STOP", "answer now: hard_ns is nearly over, or the answer is wanted sooner")
        .hint("ask should_stop while thinking, and return the best move so far when it says ARBITER_STOP"),
    Step::play("between-turns", Games::Every, "nothing is thought on the opponent's time", habits::between_turns)
        .by("Threads", "must be asleep when a call returns")
        .hint("let worker threads wait on a condition, not in a loop; stop the search before returning"),
    Step::play("same-seed", Games::Every, "the same game twice from the same seed", play::same_seed),
    Step::play("output", Games::Every, "what it prints", habits::output),
    Step::play("memory", Games::Every, "how much memory it uses", habits::memory),
];

impl Step {
    const fn play(id: &'static str, games: Games, about: &'static str, play: Play) -> Step {
        Step::new(id, about, Run::Play(games, play))
    }

    const fn new(id: &'static str, about: &'static str, run: Run) -> Step {
        Step { id, about, rule: None, hint: "", run }
    }

    const fn by(mut self, place: &'static str, says: &'static str) -> Step {
        self.rule = Some(Rule { place, says });
        self
    }

    const fn hint(mut self, hint: &'static str) -> Step {
        self.hint = hint;
        self
    }
}
