/*
 * arbiter_bot.h - the contract between the arbiter (the referee program) and a
 * bot (a shared library that plays board games).
 *
 * This is version 1, and it is frozen: what is declared here stays as it is. See "How this
 * file may change".
 *
 * The smallest bot is one function and one line:
 *
 *     #include "arbiter_bot.h"
 *
 *     static int32_t choose(void *self, const arbiter_turn *turn, arbiter_move *move)
 *     {
 *         (void)self;
 *         *move = turn->moves[0];
 *         return ARBITER_OK;
 *     }
 *
 *     ARBITER_BOT(.name = "First", .choose_move = choose)
 *
 * Build it:   cc -shared -fPIC -fvisibility=hidden -O2 -o first.so first.c
 * Check it:   arbiter check ./first.so
 * Play it:    arbiter ./first.so ./other.so --game othello
 *
 * Rules that hold everywhere
 *
 *   Life      arbiter_bot_v1, create, then game after game: new_game, any number of played and
 *             choose_move, game_over. A game may be broken off without game_over, and the end
 *             may come without destroy: a bot's process is often just ended. What the table
 *             leaves null is not called.
 *   Memory    The side that allocates memory frees it. No pointer made by one side is
 *             ever freed by the other, except through the function that says so.
 *   Lifetime  A pointer found inside a struct handed to a bot is good until the
 *             call that brought it returns. The host table is good until the
 *             process ends. Strings and tables handed out by a bot must stay
 *             unchanged for ever (make them static const). A bot is never
 *             unloaded.
 *   Threads   The arbiter calls one instance always from the same thread, which has a
 *             stack of at least 8 MiB; only stop() comes from another. Functions marked
 *             [any thread] may be called from any thread at any time. The others may be
 *             called while a call from the arbiter lasts, by the thread that is inside
 *             it and by the bot's own worker threads, several at once, as long as
 *             nobody changes a position that another one is using. (Copy, free, apply
 *             on different positions at once: fine. A function that takes a position
 *             touches no other.) random is the one exception: one thread at a time, or
 *             the numbers do not repeat. Worker threads may live from game to game, but
 *             must be asleep when a call returns; the housekeeping threads of a
 *             language's runtime may run. A function of the arbiter never calls back
 *             into the bot.
 *   Clock     A bot's clock stands still while the machine keeps the bot from running, and
 *             only then: it shows for how long the bot ran, and the time in which it chose not
 *             to run. It ran for as long as the busiest of its threads, and for no less than the
 *             processor time of its whole process divided by arbiter_game.threads. What the
 *             process uses between two turns is on the clock of the next one, but for a little
 *             housekeeping; a process that has not been asked anything for 50 ms is suspended
 *             until the next question. hard_ns, soft_ns, should_stop and time_left_ns go by this clock; a
 *             bot of one thread that goes by the wall clock is on the safe side. (Inside the
 *             arbiter's own process, and on systems other than Linux, the clock is the wall
 *             clock, and no process is suspended unless the match says so.)
 *   Calls     Unless the match sets other times: loading and create have 5 s together,
 *             new_game has 100 ms or the time of one move, whichever is longer (5 s where
 *             moves have no time of their own), game_over and destroy 5 s each.
 *   Starts    On Linux a bot may have arbiter_game.threads + 64 threads at a time, its first
 *             one included; while it is asked nothing it may start as many, less one. Starting
 *             more fails. It may count on 8 timers and queued signals, not on more.
 *   Instances Every instance has a host table of its own. A bot marked REENTRANT must
 *             use the one that came with the call, not one kept in a global variable.
 *   Errors    Functions return ARBITER_OK (0), a positive number that its own
 *             comment explains, or a negative ARBITER_ERR_ code. To say more, log it.
 *             A status that is none of these counts as ARBITER_ERR_FAILED.
 *   Unwinding No C++ exception, Rust panic or longjmp may leave a bot function.
 *   Text      UTF-8, ends with a zero byte. In a bot's text other bytes are replaced.
 *   Buffers   A function that fills a buffer takes its capacity and returns how
 *             much there was in all. If that is more than the capacity, the buffer
 *             holds what fitted (text still ends with a zero byte, which is not
 *             counted in the result). A null buffer with capacity 0 only asks.
 *   Seats     Count from 0. "Seat 1" or "player 1" on a rules page is seat 0 here.
 *   Output    Nothing the bot prints on stdout or stderr is part of the conversation. It goes
 *             to the match log, as what log() writes does: --show-output shows that, and
 *             --keep-output keeps the end of it; the record of a fault has the end anyway.
 *
 * How this file may change
 *
 *   Version 1 is frozen. What bots read (arbiter_host, arbiter_game, arbiter_turn,
 *   arbiter_event, arbiter_result, arbiter_option and the tables of extensions) never
 *   grows and never changes: if it is declared here, it is there, and a bot need not look
 *   at its struct_size. There is no room in reserve: new services come as extensions,
 *   looked up by name, and may be missing. What the arbiter reads (arbiter_bot,
 *   arbiter_report) may grow at the end; the arbiter goes by struct_size, which has to
 *   be true and to reach past choose_move, and takes a field that is not wholly inside
 *   it as 0. Flags that a reader does not know are ignored; new kinds of moves, events
 *   and reasons come only with new games and new versions of rules.
 *
 *   ARBITER_ABI_MINOR rises when this file declares more. It takes nothing away: every
 *   arbiter that speaks major version 1 runs every bot of major version 1, older or
 *   newer, on the same kind of machine. An incompatible version would export a
 *   different symbol (arbiter_bot_v2), and a library may export both.
 */
#ifndef ARBITER_BOT_H
#define ARBITER_BOT_H

#include <stddef.h>
#include <stdint.h>

#define ARBITER_ABI_MAJOR 1u
#define ARBITER_ABI_MINOR 1u
#define ARBITER_ABI   ((ARBITER_ABI_MAJOR << 16) | ARBITER_ABI_MINOR)
#define ARBITER_MAGIC 0x54425241u /* "ARBT" in memory on a little-endian machine */

#if defined(_WIN32) || defined(__CYGWIN__)
#  define ARBITER_CALL __cdecl
#  define ARBITER_VISIBLE __declspec(dllexport)
#elif defined(__GNUC__) || defined(__clang__)
#  define ARBITER_CALL
#  define ARBITER_VISIBLE __attribute__((visibility("default")))
#else
#  define ARBITER_CALL
#  define ARBITER_VISIBLE
#endif

#ifdef __cplusplus
#  define ARBITER_EXPORT extern "C" ARBITER_VISIBLE
extern "C" {
#else
#  define ARBITER_EXPORT ARBITER_VISIBLE
#endif

/* ---- Limits ----------------------------------------------------------------- */

#define ARBITER_MAX_PLAYERS 6u   /* seats in one game */
#define ARBITER_MAX_MOVES   512u /* legal moves in one position, any game below */
#define ARBITER_MAX_PATH    64u  /* cells in the path of a legal move, first and last included */
#define ARBITER_MAX_CELLS   4096u /* length of a cells array, any game below */
#define ARBITER_MAX_TEXT    8192u /* position text with its zero byte; stacks played without
                                     a turn limit may need more: see what pos_text returns */
#define ARBITER_MAX_MOVE_TEXT 256u
/* A later game that breaks one of these is offered only to bots that name it in "games". */

#define ARBITER_NO_LIMIT INT64_MAX /* a clock that never runs out */

/* ---- Status codes ----------------------------------------------------------- */

#define ARBITER_OK               0
#define ARBITER_RESIGN           1   /* from choose_move: I give this game up */
#define ARBITER_ERR_FAILED      (-1) /* it went wrong; see the log */
#define ARBITER_ERR_ARGUMENT    (-2) /* a pointer was null or a number out of range */
#define ARBITER_ERR_ILLEGAL     (-3) /* that move is not legal in that position */
#define ARBITER_ERR_STATE       (-4) /* not now: nothing to undo, no game running */
#define ARBITER_ERR_UNSUPPORTED (-5) /* this game, option or request is not for me */
#define ARBITER_ERR_MEMORY      (-6) /* out of memory */
#define ARBITER_ERR_PANIC       (-7) /* a language wrapper caught a panic or exception */

/* ---- Moves ------------------------------------------------------------------ */

/*
 * A move is a number. Take it from a list of legal moves, compare it with ==,
 * store it, send it back. The number says everything about the move in its own
 * game, so it means the same in every position and in every process:
 *
 *     bits  0-15   to    cell where the piece ends up
 *     bits 16-31   from  cell where the piece came from
 *     bits 32-47   extra game-specific, 0 unless the game's page says otherwise
 *     bits 48-55   kind  one of ARBITER_KIND_ below, never 0
 *     bits 56-63   0
 *
 * Cells are indexes into the cells array. In Connect Four "to" is the cell where
 * the disc comes to rest. A chain of jumps in Chinese checkers is one move: where
 * it started and where it ended (the road between changes nothing on the board;
 * ask move_path for one). "from" equals "to" where the piece has only one cell, and
 * in a chain of jumps that comes back to its start (a null turn: kind MOVE).
 */
typedef uint64_t arbiter_move;

#define ARBITER_NO_MOVE ((arbiter_move)0)

#define ARBITER_KIND_PLACE  1u /* put a piece on "to" */
#define ARBITER_KIND_MOVE   2u /* take a piece from "from" to "to" */
#define ARBITER_KIND_REMOVE 3u /* take a piece off "from" */
#define ARBITER_KIND_PASS   4u /* do nothing; listed only where the rules allow it */

#define ARBITER_MOVE_PASS ((arbiter_move)ARBITER_KIND_PASS << 48) /* the one pass there is */

static inline uint32_t arbiter_move_to(arbiter_move m)    { return (uint32_t)(m & 0xffffu); }
static inline uint32_t arbiter_move_from(arbiter_move m)  { return (uint32_t)((m >> 16) & 0xffffu); }
static inline uint32_t arbiter_move_extra(arbiter_move m) { return (uint32_t)((m >> 32) & 0xffffu); }
static inline uint32_t arbiter_move_kind(arbiter_move m)  { return (uint32_t)((m >> 48) & 0xffu); }

static inline arbiter_move arbiter_move_make(uint32_t kind, uint32_t from, uint32_t to, uint32_t extra)
{
    return ((arbiter_move)(kind & 0xffu) << 48) | ((arbiter_move)(extra & 0xffffu) << 32) |
           ((arbiter_move)(from & 0xffffu) << 16) | (arbiter_move)(to & 0xffffu);
}

/* ---- Cells ------------------------------------------------------------------ */

/*
 * Values in a cells array: 0 is empty, 1 to 6 are the pieces of seats 0 to 5.
 *
 * The order of the cells and the kinds of moves are part of this contract:
 *
 *   game             width height depth  index of a cell                        moves
 *   tic-tac-toe      3     3      1      row * 3 + column                       PLACE
 *   ultimate         3     3      9      board * 9 + row * 3 + column           PLACE
 *   othello          8     8      1      row * width + column                   PLACE PASS
 *   connect-four     cols  rows   1      row * width + column                   PLACE
 *   stacks           n     n      1      row * width + column                   PLACE REMOVE
 *   hex              n     n      1      row * width + column                   PLACE MOVE
 *   chinese-checkers 121   1      1      the number of the hole, 0 to 120       MOVE PASS
 *
 * Rows count from 0 at the top, columns from 0 at the left, boards in reading order.
 * Ultimate: a won board shows its winner in all nine cells. Which boards may be played
 * in is told by the legal moves (move to / 9) and by the text.
 * Stacks: a cell shows the top token; ask column() for what lies below.
 */
#define ARBITER_CELL_EMPTY   0u
#define ARBITER_CELL_OUTSIDE 255u /* a place in the array that is not on the board */
#define ARBITER_CELL_OF(seat) ((uint8_t)((seat) + 1))

/* ---- Seats that are nobody -------------------------------------------------- */

#define ARBITER_SEAT_NONE   (-1)
#define ARBITER_SEAT_CHANCE (-2) /* dice, earthquakes */

/* ---- What the arbiter lends to a bot ---------------------------------------- */

typedef struct arbiter_host arbiter_host;
typedef struct arbiter_pos arbiter_pos; /* a position; only the arbiter knows its inside */

#define ARBITER_LOG_DEBUG 0
#define ARBITER_LOG_INFO  1
#define ARBITER_LOG_WARN  2
#define ARBITER_LOG_ERROR 3

/* From should_stop(). "if (should_stop(h))" is right for most bots; one that manages its
   own clock may think on until ARBITER_STOP. It only grows while one move is thought about. */
#define ARBITER_GO_ON    0 /* keep thinking */
#define ARBITER_ENOUGH   1 /* soft_ns is over: a good moment to answer */
#define ARBITER_STOP     2 /* answer now: hard_ns is nearly over, or the answer is wanted sooner */
#define ARBITER_ABANDON  3 /* the answer is no longer wanted: just return. Also between turns */

#define ARBITER_NO_SCORE INT32_MIN /* in arbiter_report: no opinion */

/* WIN: first alone. DRAW: first together with others. LOSS: anything else. */
#define ARBITER_RUNNING 2 /* from outcome(): the game goes on for that seat */
#define ARBITER_WIN     1
#define ARBITER_DRAW    0
#define ARBITER_LOSS   (-1)

/* What a thinking bot has found so far. Copied by report(); the last one of a turn is saved with
   the move. Once the reports of a game come to 256 KiB, pv and text are no longer kept. */
typedef struct arbiter_report {
    uint32_t struct_size;  /* sizeof(arbiter_report) */
    uint32_t depth;        /* plies searched, 0 if that means nothing to you */
    arbiter_move best;     /* what you would play now, or NO_MOVE; nobody plays it for you today */
    uint64_t nodes;        /* positions looked at, 0 if not counted */
    int32_t score;         /* from your side, 100 is about one piece, +-100000 is a sure result;
                              ARBITER_NO_SCORE if you have none */
    uint32_t pv_count;     /* moves in pv; the first 64 are kept */
    const arbiter_move *pv;/* expected line, or null */
    const char *text;      /* one line for a human, of which 4096 bytes are kept, or null */
} arbiter_report;

struct arbiter_host {
    uint32_t struct_size;
    uint32_t abi;
    const char *name;      /* "arbiter" */
    const char *version;   /* "1.4.2" */
    void *ctx;             /* the arbiter's own */

    /* A named service that is not in this table, or null: see "Extensions" below. [any thread] */
    const void *(ARBITER_CALL *extension)(const arbiter_host *h, const char *id);

    /* Writes to the match log. Kept to 4096 bytes a message, 1 MiB a game. [any thread] */
    void (ARBITER_CALL *log)(const arbiter_host *h, int32_t level, const char *text);

    /* ARBITER_GO_ON, ENOUGH, STOP or ABANDON. Cheap: call it at every node. [any thread] */
    int32_t (ARBITER_CALL *should_stop)(const arbiter_host *h);

    /* Nanoseconds left of hard_ns by the bot's clock; negative when it is over; ARBITER_NO_LIMIT.
       Where a thread of the bot has slept, wall time is taken until that is over: then it may rise
       again. Where a bot may use several threads, it is wall time all along. [any thread] */
    int64_t (ARBITER_CALL *time_left_ns)(const arbiter_host *h);

    /* Random bits. They start afresh with each game, from arbiter_game.seed, and so repeat when
       the match is run again. They say nothing about the game's own chance. [one thread] */
    uint64_t (ARBITER_CALL *random)(const arbiter_host *h);

    /* Tells what you have so far, as often as you like. [any thread] */
    void (ARBITER_CALL *report)(const arbiter_host *h, const arbiter_report *r);

    /*
     * Positions. The one in arbiter_turn is yours to read, not to change: copy it. A copy
     * is good until you free it, also in later games. It knows everything the rules ask
     * about the past (repetitions, ko, turns taken, seats out of the game); one made by
     * pos_parse has no past. A fresh copy has nothing to undo. pos_set makes "to" a fresh
     * copy of "from" without a new allocation; both must come from the same game.
     */
    arbiter_pos *(ARBITER_CALL *pos_copy)(const arbiter_host *h, const arbiter_pos *p);   /* null: no memory */
    void (ARBITER_CALL *pos_free)(const arbiter_host *h, arbiter_pos *p);                 /* null is fine */
    int32_t (ARBITER_CALL *pos_set)(const arbiter_host *h, arbiter_pos *to, const arbiter_pos *from);

    /* Fills moves with up to cap legal moves and returns how many there are; 0 only when the game
       is over: a seat that has to pass has the one legal move ARBITER_MOVE_PASS. */
    uint32_t (ARBITER_CALL *legal_moves)(const arbiter_host *h, const arbiter_pos *p, arbiter_move *moves, uint32_t cap);

    /* Plays a move (ARBITER_ERR_ILLEGAL if it is not legal, and nothing changes), or takes back
       the last move played on this copy. apply never draws chance: with earthquakes on it plays
       the turn as if no stack fell. To sample them: extension "arbiter.chance/1". */
    int32_t (ARBITER_CALL *apply)(const arbiter_host *h, arbiter_pos *p, arbiter_move m);
    int32_t (ARBITER_CALL *undo)(const arbiter_host *h, arbiter_pos *p);

    /* The seat that moves next, or ARBITER_SEAT_NONE when the game is over. */
    int32_t (ARBITER_CALL *to_move)(const arbiter_host *h, const arbiter_pos *p);

    /* ARBITER_RUNNING, ARBITER_WIN, ARBITER_DRAW or ARBITER_LOSS for that seat, by all the rules
       (repetition and turn limits too). A seat taken out of a game that goes on has LOSS already,
       so ask to_move, or your own seat, whether the game is over. ARBITER_ERR_ARGUMENT: no such seat. */
    int32_t (ARBITER_CALL *outcome)(const arbiter_host *h, const arbiter_pos *p, int32_t seat);

    /* The board, one byte a cell, in the order of the table above. */
    uint32_t (ARBITER_CALL *cells)(const arbiter_host *h, const arbiter_pos *p, uint8_t *cells, uint32_t cap);

    /* The pieces on one cell from bottom to top, values as in cells; returns how many. Stacks have
       no height limit; in the other games it is 0 or 1. */
    uint32_t (ARBITER_CALL *column)(const arbiter_host *h, const arbiter_pos *p, uint32_t cell, uint8_t *pieces, uint32_t cap);

    /* A key for hash tables. Equal for the same pieces on the same cells, seat to move, seats in
       the game and right to move (forced board, ko); the past does not count. The same in one
       process; do not store it in files. */
    uint64_t (ARBITER_CALL *hash)(const arbiter_host *h, const arbiter_pos *p);

    /* Text. pos_parse gives a new position, under the rules of the game being played (of the last
       new_game), to be freed with pos_free, or null. move_parse gives a legal move or ARBITER_NO_MOVE. */
    uint32_t (ARBITER_CALL *pos_text)(const arbiter_host *h, const arbiter_pos *p, char *text, uint32_t cap);
    arbiter_pos *(ARBITER_CALL *pos_parse)(const arbiter_host *h, const char *text);
    uint32_t (ARBITER_CALL *move_text)(const arbiter_host *h, const arbiter_pos *p, arbiter_move m, char *text, uint32_t cap);
    arbiter_move (ARBITER_CALL *move_parse)(const arbiter_host *h, const arbiter_pos *p, const char *text);

    /* The cells a legal move goes through, first and last included (a shortest jump chain). */
    uint32_t (ARBITER_CALL *move_path)(const arbiter_host *h, const arbiter_pos *p, arbiter_move m, uint16_t *cells, uint32_t cap);
};

/* ---- Extensions ------------------------------------------------------------- */

/*
 * Services that came after the table above. Ask for one by its name and cast the answer:
 *
 *     const arbiter_chance_v1 *chance =
 *         (const arbiter_chance_v1 *)host->extension(host, ARBITER_CHANCE_V1);
 *     if (chance)
 *         chance->apply_sampled(host, pos, move, host->random(host));
 *
 * The answer is null where the arbiter does not have it, and otherwise good until the process
 * ends; the same name always gets the same answer. The number is part of the name: a released
 * table never changes, so it needs no size, and what it should have had comes as ".../2" beside it.
 * Names that start with "arbiter." are ours; yours start with your domain: "org.example.thing/1".
 */

#define ARBITER_PATH_V1 "arbiter.path/1"

/* Most cells that answer takes: more than any legal path has, so that wrong ones can be judged too. */
#define ARBITER_MAX_ANSWER 256u

/*
 * Answer a turn with the cells a piece goes through instead of with a move.
 *
 * In Chinese checkers a move names where a chain of jumps begins and ends, and any road will do.
 * A bot that wants its own road on record gives it cell by cell, like a person at the board:
 *
 *     int32_t road[] = {10, 31, 48};
 *     path->answer(turn->host, road, 3);
 *     *move = ARBITER_NO_MOVE;
 *     return ARBITER_OK;
 *
 * The referee judges the path by the rules of the game and records it as given. A wrong one (too
 * short, a hop that is not allowed, a cell that is not there) is a refused answer, like an illegal
 * move, with the reason; nothing is checked before choose_move has returned.
 */
typedef struct arbiter_path_v1 {
    /*
     * Keeps a copy of the path as the answer of the turn being played; of several, the last one
     * counts. It is used when choose_move returns ARBITER_OK with ARBITER_NO_MOVE in *move, and
     * forgotten when *move holds a move. The first cell is where the piece stands. Only during
     * choose_move, by the thread that is inside it.
     *
     *   ARBITER_OK               kept, right or wrong
     *   ARBITER_ERR_ARGUMENT     null, or more than ARBITER_MAX_ANSWER cells
     *   ARBITER_ERR_STATE        no turn of yours is being played
     *   ARBITER_ERR_UNSUPPORTED  moves of this game go through no cells; answer with a move
     *
     * After anything but ARBITER_OK an earlier path still stands.
     */
    int32_t (ARBITER_CALL *answer)(const arbiter_host *h, const int32_t *cells, uint32_t count);
} arbiter_path_v1;

#define ARBITER_CHANCE_V1 "arbiter.chance/1"

/* Look ahead in games with chance (stacks with earthquakes). */
typedef struct arbiter_chance_v1 {
    /*
     * Plays a move like apply, and then what chance does after it, drawn from a number that the
     * bot provides: all 64 bits of host->random will do. The same number on the same position
     * draws the same; the referee's own draw cannot be foreseen this way. One undo takes back
     * both. Where nothing is left to chance it is apply, and the number does not matter.
     * Returns what apply returns.
     */
    int32_t (ARBITER_CALL *apply_sampled)(const arbiter_host *h, arbiter_pos *p, arbiter_move m, uint64_t random);
} arbiter_chance_v1;

#define ARBITER_ROOT_MOVES_V1 "arbiter.root-moves/1"

/* How a value is meant: alpha-beta knows of most moves only that they are no better than the best. */
#define ARBITER_EXACT    0u
#define ARBITER_AT_MOST  1u
#define ARBITER_AT_LEAST 2u

/* One of the moves to choose from, and what the bot thinks of it. */
typedef struct arbiter_root_move {
    arbiter_move move;
    int32_t score;         /* as in arbiter_report: from your side, 100 is about one piece */
    uint32_t bound;        /* ARBITER_EXACT, ARBITER_AT_MOST or ARBITER_AT_LEAST */
} arbiter_root_move;

/* Tell what every move is worth, for people who look into a bot: "DEBUG=1 arbiter ask" shows it. */
typedef struct arbiter_root_moves_v1 {
    /*
     * Keeps a copy of the list. depth is the number of plies searched, 0 if that means nothing to
     * you. Of several lists in a turn, the last one counts. At most ARBITER_MAX_MOVES moves are
     * kept; those that are not legal are not shown. [any thread]
     */
    void (ARBITER_CALL *report)(const arbiter_host *h, uint32_t depth, const arbiter_root_move *moves, uint32_t count);
} arbiter_root_moves_v1;

#define ARBITER_PAYLOAD_V1 "arbiter.payload/1"

/*
 * A file that the bot was given beside its library: a network, a book, a script. It is named where the
 * bot is, "./bot.so+weights.bin", and is in memory before create:
 *
 *     const arbiter_payload_v1 *weights =
 *         (const arbiter_payload_v1 *)host->extension(host, ARBITER_PAYLOAD_V1);
 *     if (!weights)
 *         return ARBITER_ERR_UNSUPPORTED;
 *
 * The answer is null for a bot that was given none. What it points to can be read until the process
 * ends, and must not be written to.
 */
typedef struct arbiter_payload_v1 {
    const void *data;      /* the bytes of the file; never null */
    const char *name;      /* its name without folders: "weights.bin" */
    const char *sha256;    /* of the bytes: 64 hexadecimal digits, the ones in the report */
    uint64_t size;         /* how many bytes there are */
} arbiter_payload_v1;

/* ---- What the arbiter tells a bot ------------------------------------------- */

typedef struct arbiter_option {
    const char *key;
    const char *value;
} arbiter_option;

/* A game begins. */
typedef struct arbiter_game {
    uint32_t struct_size;
    int32_t seat;           /* which seat is yours, from 0 */
    uint32_t players;       /* seats in this game, 2 to 6 */
    uint32_t width;         /* shape of the cells array */
    uint32_t height;
    uint32_t depth;
    const char *game;       /* "othello" */
    const arbiter_host *host;      /* the same table create() got */
    const arbiter_pos *start;      /* before the opening moves, which played() tells as FORCED */
    const char *start_text;
    const arbiter_option *rules;   /* every option of the game, defaults too: "columns" = "7" */
    const arbiter_option *options; /* options given to this bot on the command line, as they were given */
    uint32_t rule_count;
    uint32_t option_count;
    uint32_t threads;       /* processor cores your bot may keep busy, usually 1 */
    uint32_t max_errors;    /* refused answers after which you lose the game: 10,000 where the match sets no number
                               (--max-errors 0). UINT32_MAX would mean no limit; it is not sent today */
    uint64_t memory;        /* bytes your bot may use in all, the stacks of its threads counted at their
                               full size; UINT64_MAX if nobody counts */
    uint64_t seed;          /* for your own random numbers; not the one of the game's chance */
    int64_t time_ns;        /* your clock at the start, or ARBITER_NO_LIMIT */
    int64_t increment_ns;   /* added after each of your moves */
    int64_t move_limit_ns;  /* most time for one move, or ARBITER_NO_LIMIT */
} arbiter_game;

/* It is your turn. (A turn in which you can only pass is played for you.) */
typedef struct arbiter_turn {
    uint32_t struct_size;
    int32_t seat;
    uint32_t ply;             /* moves played since the start by all seats, passes included */
    uint32_t move_count;      /* never 0 */
    const arbiter_move *moves;/* every legal move */
    const arbiter_pos *pos;
    const uint8_t *cells;
    const char *text;         /* the position as text */
    uint32_t cell_count;
    uint32_t players;
    uint32_t attempt;         /* 0; more if your answer to this very turn was refused */
    uint32_t history_count;
    int64_t hard_ns;          /* answer within this time, or you have lost; or NO_LIMIT */
    int64_t soft_ns;          /* a sensible time to spend on this move; never ARBITER_NO_LIMIT */
    const int64_t *clocks_ns; /* what each seat has left, by seat, or ARBITER_NO_LIMIT */
    const arbiter_move *history; /* the moves played so far, oldest first */
    const arbiter_host *host; /* the same table create() got */
    const arbiter_game *game; /* what new_game() got */
} arbiter_turn;

/*
 * Something happened: a move of any seat (yours too), chance, or a seat left the game.
 *
 *   a move     seat, move; FORCED if the player did not choose it
 *   chance     seat ARBITER_SEAT_CHANCE, NO_MOVE, text "b2:1 c3:4" (tokens that fell);
 *              comes after the move it belongs to, with the same ply; only if some fell
 *   elimination  seat, NO_MOVE, flag ELIMINATED, text is the reason: that seat's pieces
 *              are off the board and its turns are skipped from now on
 */
typedef struct arbiter_event {
    uint32_t struct_size;
    int32_t seat;             /* who, or ARBITER_SEAT_CHANCE */
    uint32_t ply;             /* counted before this move */
    uint32_t flags;           /* ARBITER_EVENT_ below */
    arbiter_move move;        /* or ARBITER_NO_MOVE */
    int64_t time_ns;          /* time taken */
    const arbiter_pos *pos;   /* the position after it */
    const char *text;         /* the move as people write it */
    const arbiter_host *host;
    const arbiter_game *game;
} arbiter_event;

#define ARBITER_EVENT_FORCED     1u /* not chosen by the player: an opening, the only pass */
#define ARBITER_EVENT_ELIMINATED 2u /* this seat is out; the game goes on without it */

/* The game is over. */
typedef struct arbiter_result {
    uint32_t struct_size;
    int32_t outcome;          /* yours: ARBITER_WIN, ARBITER_DRAW, ARBITER_LOSS */
    uint32_t players;
    int32_t seat;             /* yours */
    const int32_t *outcomes;  /* of every seat, by seat */
    const int32_t *ranks;     /* of every seat: 1 is best, equal numbers are ties */
    const int32_t *scores;    /* of every seat (discs, distance to go), or null */
    const char *reason;       /* "home", "repetition", "out of time", ... */
    const arbiter_host *host;
    const arbiter_game *game;
} arbiter_result;

/* ---- What a bot is ---------------------------------------------------------- */

/* The bot keeps nothing outside its instances (no globals, no statics that change), so
   several may live in one process and play at the same time, each in its own thread. */
#define ARBITER_BOT_REENTRANT 1u

typedef struct arbiter_bot {
    uint32_t magic;           /* ARBITER_MAGIC */
    uint32_t abi;             /* ARBITER_ABI */
    uint32_t struct_size;     /* sizeof(arbiter_bot) */
    uint32_t flags;           /* ARBITER_BOT_ above */

    const char *name;         /* required, up to 63 bytes */
    const char *version;      /* the rest may be null */
    const char *author;
    const char *about;
    const char *games;        /* ids with spaces between: "othello connect-four"; null: any game */

    /* Makes an instance. Null: self is null in every call. Anything but ARBITER_OK: there is none. */
    int32_t (ARBITER_CALL *create)(const arbiter_host *host, void **self);
    /* Nothing of the instance is called after it. It may not come at all: see "Life". */
    void (ARBITER_CALL *destroy)(void *self);

    /* A new game for this instance; the one before, if any, is over, or was broken off without
       game_over. ARBITER_ERR_UNSUPPORTED: not with these options. After anything but ARBITER_OK this
       game brings no other call. */
    int32_t (ARBITER_CALL *new_game)(void *self, const arbiter_game *game);

    /* Required. Put one of turn->moves in *move (ARBITER_NO_MOVE on entry) and return ARBITER_OK,
       or return ARBITER_RESIGN. Any other status is a failure and loses the game. */
    int32_t (ARBITER_CALL *choose_move)(void *self, const arbiter_turn *turn, arbiter_move *move);

    /* Told in order, at the latest before your next turn or game_over; the time it takes is on your
       clock. A seat that leaves the game is told of that too, and then nothing until game_over. */
    void (ARBITER_CALL *played)(void *self, const arbiter_event *event);
    void (ARBITER_CALL *game_over)(void *self, const arbiter_result *result);

    /* should_stop() has just changed. For bots that sleep or wait: wake them and return at once.
       May come when choose_move has just returned; never during or after destroy. [any thread] */
    void (ARBITER_CALL *stop)(void *self);

    /* A named service of this bot, or null, found by the same names as those of the arbiter. Asked
       after create, by the instance's thread, and only for services that the arbiter knows. */
    const void *(ARBITER_CALL *extension)(void *self, const char *id);
} arbiter_bot;

/*
 * The one symbol a bot exports. host_abi is the arbiter's ARBITER_ABI. Return null to
 * refuse. Must be quick, start no thread and touch no file: it is called just to read
 * the name. Called more than once, it returns the same pointer.
 */
ARBITER_VISIBLE const arbiter_bot *ARBITER_CALL arbiter_bot_v1(uint32_t host_abi);

#ifdef __cplusplus
} /* extern "C" */
#endif

/*
 * Writes arbiter_bot_v1 for you, in C, with no semicolon after it. Fields left out are
 * null. C++ bots use arbiter_bot.hpp.
 */
#define ARBITER_BOT(...)                                                                   \
    ARBITER_EXPORT const arbiter_bot *ARBITER_CALL arbiter_bot_v1(uint32_t host_abi)       \
    {                                                                                      \
        static const arbiter_bot the_bot = {.magic = ARBITER_MAGIC, .abi = ARBITER_ABI,    \
            .struct_size = (uint32_t)sizeof(arbiter_bot), __VA_ARGS__};                    \
        (void)host_abi;                                                                    \
        return &the_bot;                                                                   \
    }

/* ---- The layout, checked by every compiler that reads this file ------------- */

#if (defined(__cplusplus) && __cplusplus >= 201103L) || (defined(_MSVC_LANG) && _MSVC_LANG >= 201103L)
#  define ARBITER_ASSERT(cond) static_assert(cond, #cond)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#  define ARBITER_ASSERT(cond) _Static_assert(cond, #cond)
#else
#  define ARBITER_JOIN_(a, b) a##b
#  define ARBITER_JOIN(a, b) ARBITER_JOIN_(a, b)
#  define ARBITER_ASSERT(cond) typedef char ARBITER_JOIN(arbiter_layout_, __LINE__)[(cond) ? 1 : -1]
#endif

/* The size of a struct on 64-bit and 32-bit machines alike: its fixed bytes and its pointers. */
#define ARBITER_SIZE(fixed, pointers) ((size_t)(fixed) + (size_t)(pointers) * sizeof(void *))
ARBITER_ASSERT(sizeof(arbiter_report) == ARBITER_SIZE(32, 2));
ARBITER_ASSERT(sizeof(arbiter_host) == ARBITER_SIZE(8, 25));
ARBITER_ASSERT(sizeof(arbiter_option) == ARBITER_SIZE(0, 2));
ARBITER_ASSERT(sizeof(arbiter_game) == ARBITER_SIZE(80, 6));
ARBITER_ASSERT(sizeof(arbiter_turn) == ARBITER_SIZE(48, 8));
ARBITER_ASSERT(sizeof(arbiter_event) == ARBITER_SIZE(32, 4));
ARBITER_ASSERT(sizeof(arbiter_result) == ARBITER_SIZE(16, 6));
ARBITER_ASSERT(sizeof(arbiter_bot) == ARBITER_SIZE(16, 13));
ARBITER_ASSERT(sizeof(arbiter_path_v1) == ARBITER_SIZE(0, 1));
ARBITER_ASSERT(sizeof(arbiter_chance_v1) == ARBITER_SIZE(0, 1));
ARBITER_ASSERT(sizeof(arbiter_root_move) == ARBITER_SIZE(16, 0));
ARBITER_ASSERT(sizeof(arbiter_root_moves_v1) == ARBITER_SIZE(0, 1));
/* Where pointers have four bytes, compilers disagree about padding before the size. */
ARBITER_ASSERT(sizeof(arbiter_payload_v1) == offsetof(arbiter_payload_v1, size) + 8);
ARBITER_ASSERT(offsetof(arbiter_host, legal_moves) == ARBITER_SIZE(8, 12));
ARBITER_ASSERT(offsetof(arbiter_host, move_path) == ARBITER_SIZE(8, 24));
ARBITER_ASSERT(offsetof(arbiter_game, memory) == ARBITER_SIZE(40, 6));
ARBITER_ASSERT(offsetof(arbiter_turn, game) == ARBITER_SIZE(48, 7));
ARBITER_ASSERT(offsetof(arbiter_event, pos) == ARBITER_SIZE(32, 0));
ARBITER_ASSERT(offsetof(arbiter_bot, choose_move) == ARBITER_SIZE(16, 8));

#endif /* ARBITER_BOT_H */
