/* Plays the first move there is. The smallest bot: it works in every game. */
#include "arbiter_bot.h"

static int32_t choose(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    (void)self;
    *move = turn->moves[0];
    return ARBITER_OK;
}

ARBITER_BOT(.name = "First",
            .version = "1.0",
            .author = "arbiter",
            .about = "Plays the first move there is",
            .choose_move = choose)
