/*
 * Plays the first legal move, but not at once: option "illegal" is the number of illegal answers that it gives before
 * each legal one, option "bits" the number of that move, option "sleep_ms" the time that it sleeps before every answer.
 */
#define _GNU_SOURCE
#include "arbiter_bot.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static long option(const arbiter_game *game, const char *key)
{
    for (uint32_t i = 0; i < game->option_count; i++)
        if (strcmp(game->options[i].key, key) == 0)
            return atol(game->options[i].value);
    return 0;
}

static int32_t choose_move(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    long ms = option(turn->game, "sleep_ms");
    struct timespec rest = {ms / 1000, ms % 1000 * 1000000};
    (void)self;
    clock_nanosleep(CLOCK_MONOTONIC, 0, &rest, NULL);
    *move = turn->moves[0];
    if ((long)turn->attempt < option(turn->game, "illegal")) {
        *move = arbiter_move_make(ARBITER_KIND_PLACE, 27, 27, 0); /* taken from the start of every game of othello */
        if (option(turn->game, "bits") != 0)
            *move = (arbiter_move)option(turn->game, "bits");
    }
    return ARBITER_OK;
}

ARBITER_BOT(.name = "Stumbling", .choose_move = choose_move)
