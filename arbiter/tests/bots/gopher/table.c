#include "_cgo_export.h"
#include "arbiter_bot.h"

static int32_t choose(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    return goChoose(self, (arbiter_turn *)turn, move);
}

ARBITER_BOT(.name = "Gopher", .choose_move = choose)
