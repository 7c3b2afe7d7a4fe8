/*
 * Plays the first legal move, but not at once: option "illegal" is the number of illegal answers that it gives before
 * each legal one, option "bits" the number of that move, option "sleep_ms" the time that it sleeps before every answer.
 */
#define _GNU_SOURCE
#include "options.h"

#include <time.h>

static int32_t choose_move(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    long ms = option_number(turn->game, "sleep_ms");
    struct timespec rest = {ms / 1000, ms % 1000 * 1000000};
    (void)self;
    clock_nanosleep(CLOCK_MONOTONIC, 0, &rest, NULL);
    *move = turn->moves[0];
    if ((long)turn->attempt < option_number(turn->game, "illegal")) {
        *move = arbiter_move_make(ARBITER_KIND_PLACE, 27, 27, 0); /* taken from the start of every game of othello */
        if (option_number(turn->game, "bits") != 0)
            *move = (arbiter_move)option_number(turn->game, "bits");
    }
    return ARBITER_OK;
}

ARBITER_BOT(.name = "Stumbling", .choose_move = choose_move)
