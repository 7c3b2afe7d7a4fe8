/* The table that arbiter reads. Go cannot write it: it has pointers to functions in it. */
#include "_cgo_export.h"
#include "arbiter_bot.h"

static int32_t choose(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    (void)self;
    return goChoose((arbiter_turn *)turn, move);
}

ARBITER_BOT(.name = "Mobility",
            .version = "1.0",
            .author = "arbiter",
            .about = "Leaves the opponent the fewest moves",
            .choose_move = choose)
