/*
 * Plays the first legal move, and keeps what it knows where the next process may find it: in the descriptions of the
 * files that it was started with, their offsets and flags.
 *
 * The report of its first turn in a process says in what state it found them. With the option "talk" it changes them in
 * every turn, and the report of every later turn says "heard" if they are not as it left them, "silence" otherwise.
 */
#define _GNU_SOURCE
#include "options.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define FILES 64
#define FLAGS (O_APPEND | O_NONBLOCK | O_DIRECT | O_NOATIME)

/* What a description of an open file remembers; -1 for none. */
struct state {
    int64_t offset[FILES];
    int flags[FILES];
};

static struct state left;
static unsigned turns; /* in this process */

static void look(struct state *seen)
{
    for (int file = 0; file < FILES; file++) {
        int flags = fcntl(file, F_GETFL);
        seen->flags[file] = flags < 0 ? -1 : flags & FLAGS;
        seen->offset[file] = flags < 0 ? -1 : lseek(file, 0, SEEK_CUR);
    }
}

/* Leaves a number of 63 bits. */
static void leave(uint64_t number)
{
    int is_odd = number & 1;
    for (int file = 0; file < FILES; file++) {
        lseek(file, (off_t)(number >> 1), SEEK_SET);
        if (file < 3) {
            /* What the log prints must get through. */
            fcntl(file, F_SETFL, is_odd ? O_APPEND | O_NOATIME : O_NOATIME);
            ioctl(file, FIONBIO, &is_odd);
        }
    }
}

static void say(const arbiter_host *host, const char *text)
{
    host->report(host, &(arbiter_report){.struct_size = sizeof(arbiter_report), .score = ARBITER_NO_SCORE, .text = text});
}

/* Says what there is: "0:0/0 1:0/-1 ...", each with its flags and its offset. */
static void say_state(const arbiter_host *host, const struct state *seen)
{
    static char text[FILES * 40];
    size_t used = 0;
    text[0] = 0;
    for (int file = 0; file < FILES; file++)
        if (seen->flags[file] >= 0)
            used += (size_t)snprintf(text + used, sizeof text - used, "%d:%o/%" PRId64 " ", file,
                                     (unsigned)seen->flags[file], seen->offset[file]);
    say(host, text);
}

static int32_t choose_move(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    struct state seen;
    (void)self;
    *move = turn->moves[0];
    look(&seen);
    if (turns++ == 0)
        say_state(turn->host, &seen);
    else if (option_text(turn->game, "talk"))
        say(turn->host, memcmp(&seen, &left, sizeof seen) == 0 ? "silence" : "heard");
    if (turns == 1 || option_text(turn->game, "talk"))
        leave(turn->game->seed + turn->ply);
    look(&left);
    return ARBITER_OK;
}

ARBITER_BOT(.name = "Leaking", .choose_move = choose_move)
