/*
 * Plays tic-tac-toe at random, but in SHARE of 100 turns, which its seed chooses, on the best of the free cells: the one in the middle, then
 * the corners. So its strength is what somebody who compiles it wants it to be.
 */
#include "arbiter_bot.h"

static uint64_t state;

static uint64_t next(void)
{
    uint64_t z = state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static int32_t new_game(void *self, const arbiter_game *game)
{
    (void)self;
    state = game->seed;
    return ARBITER_OK;
}

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
