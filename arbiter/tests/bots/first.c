/* Plays the first legal move. */
#include "arbiter_bot.h"

static int32_t choose(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    (void)self;
    *move = turn->moves[0];
    return ARBITER_OK;
}

ARBITER_BOT(.name = "First", .choose_move = choose)
