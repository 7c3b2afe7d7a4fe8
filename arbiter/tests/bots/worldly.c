/*
 * An honest bot that uses of its system what programs use elsewhere. Plays the first legal move.
 *
 * Option "does" says what it does first.
 */
#include "options.h"

static int32_t new_game(void *self, const arbiter_game *game)
{
    const size_t size = 100 << 20;
    char *table = NULL;
    (void)self;
    if (strcmp(option_text(game, "does"), "make a table") == 0)
        for (size_t at = 0; at < size && (at || (table = malloc(size))); at += 1 << 12)
            ((volatile char *)table)[at] = 1;
    return ARBITER_OK;
}

static int32_t choose_move(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    (void)self;
    *move = turn->moves[0];
    return ARBITER_OK;
}

ARBITER_BOT(.name = "Worldly", .new_game = new_game, .choose_move = choose_move)
