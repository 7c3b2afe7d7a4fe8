/* Plays the stack move that wins most often when the earthquake after it is tried many times. */
#include "arbiter_bot.h"

#define TRIES 100

static int32_t choose(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    const arbiter_host *h = turn->host;
    const arbiter_chance_v1 *chance = (const arbiter_chance_v1 *)h->extension(h, ARBITER_CHANCE_V1);
    arbiter_pos *p = h->pos_copy(h, turn->pos);
    int most = -TRIES - 1;
    (void)self;
    if (!p)
        return ARBITER_ERR_MEMORY;
    for (uint32_t i = 0; i < turn->move_count; i++) {
        int sum = 0;
        for (int n = 0; n < TRIES; n++) {
            if (chance)
                chance->apply_sampled(h, p, turn->moves[i], h->random(h));
            else
                h->apply(h, p, turn->moves[i]);
            int32_t outcome = h->outcome(h, p, turn->seat);
            sum += outcome == ARBITER_RUNNING ? 0 : outcome;
            h->undo(h, p);
        }
        if (sum > most) {
            most = sum;
            *move = turn->moves[i];
        }
    }
    h->pos_free(h, p);
    return ARBITER_OK;
}

ARBITER_BOT(.name = "Quake (C)", .games = "stacks", .choose_move = choose)
