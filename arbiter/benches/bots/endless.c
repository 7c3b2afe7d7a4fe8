/* Never answers, whatever the stop flag says. */
#include "arbiter_bot.h"

static int32_t choose(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    (void)self;
    (void)turn;
    (void)move;
    for (;;) {
    }
}

ARBITER_BOT(.name = "Endless",
            .version = "1.0",
            .author = "arbiter",
            .about = "Never answers",
            .choose_move = choose)
