/* Plays the first legal move, in any game unless it is compiled with -DGAMES='"othello"'. */
#include "arbiter_bot.h"

#ifndef GAMES
#define GAMES NULL
#endif

static int32_t choose(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    (void)self;
    *move = turn->moves[0];
    return ARBITER_OK;
}

ARBITER_BOT(.name = "First", .games = GAMES, .choose_move = choose)
