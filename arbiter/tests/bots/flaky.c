/*
 * Plays a legal move that its seed chooses, and crashes now and then: option "one_in" says in how many moves once. What
 * it does follows from the seed of the game alone, so that two runs of the same games are equal.
 */
#include "options.h"

#include <signal.h>

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

static int32_t choose_move(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    long one_in = option_number(turn->game, "one_in");
    (void)self;
    if (one_in > 0 && next() % (uint64_t)one_in == 0)
        raise(SIGSEGV);
    *move = turn->moves[next() % turn->move_count];
    return ARBITER_OK;
}

ARBITER_BOT(.name = "Flaky", .new_game = new_game, .choose_move = choose_move)
