/* Plays a legal move that its seed chooses, and crashes now and then: option "one_in" says in how many moves once. */
#include "options.h"
#include "seeded.h"

#include <signal.h>

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
