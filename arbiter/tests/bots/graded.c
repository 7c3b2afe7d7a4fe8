/*
 * Plays tic-tac-toe at random, but in SHARE of 100 turns, which its seed chooses, on the best of the free cells: the one in the middle, then
 * the corners. So its strength is what somebody who compiles it wants it to be.
 */
#include "seeded.h"

static int32_t choose(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    static const int worth[9] = {1, 0, 1, 0, 2, 0, 1, 0, 1};
    int thinks = (int)(next() % 100) < SHARE;
    (void)self;
    *move = turn->moves[next() % turn->move_count];
    for (uint32_t i = 0; thinks && i < turn->move_count; i++)
        if (worth[arbiter_move_to(turn->moves[i])] > worth[arbiter_move_to(*move)])
            *move = turn->moves[i];
    return ARBITER_OK;
}

ARBITER_BOT(.name = "Graded", .new_game = new_game, .choose_move = choose)
