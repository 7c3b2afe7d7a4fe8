/* Plays the first legal move; in its third turn of a game it says something and crashes. */
#include "arbiter_bot.h"

#include <stdio.h>
#include <stdlib.h>

static int32_t choose(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    static int turns;
    (void)self;
    if (++turns == 3) {
        puts("I feel faint");
        fflush(stdout);
        abort();
    }
    *move = turn->moves[0];
    return ARBITER_OK;
}

ARBITER_BOT(.name = "Fainting", .choose_move = choose)
