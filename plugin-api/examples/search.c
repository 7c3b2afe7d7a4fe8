/* Looks six moves ahead in any game, for itself and against everybody else. */
#include "arbiter_bot.h"

#define DEPTH 6
#define SURE 1000 /* a win now; one in d moves is worth d less */

static int32_t search(const arbiter_host *h, arbiter_pos *p, int32_t me, int32_t depth, int32_t low, int32_t high)
{
    arbiter_move list[ARBITER_MAX_MOVES];
    int32_t outcome = h->outcome(h, p, me);
    int mine = h->to_move(h, p) == me;
    if (outcome != ARBITER_RUNNING)
        return outcome * (SURE + depth);
    if (depth == 0 || h->should_stop(h))
        return 0;
    uint32_t n = h->legal_moves(h, p, list, ARBITER_MAX_MOVES);
    for (uint32_t i = 0; i < n && low < high; i++) {
        h->apply(h, p, list[i]);
        int32_t score = search(h, p, me, depth - 1, low, high);
        h->undo(h, p);
        if (mine && score > low)
            low = score;
        if (!mine && score < high)
            high = score;
    }
    return mine ? low : high;
}

static int32_t choose(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    const arbiter_host *h = turn->host;
    arbiter_pos *p = h->pos_copy(h, turn->pos);
    int32_t best = -2 * SURE;
    (void)self;
    if (!p)
        return ARBITER_ERR_MEMORY;
    for (uint32_t i = 0; i < turn->move_count; i++) {
        h->apply(h, p, turn->moves[i]);
        int32_t score = search(h, p, turn->seat, DEPTH - 1, best, 2 * SURE);
        h->undo(h, p);
        if (score > best) {
            best = score;
            *move = turn->moves[i];
        }
    }
    h->pos_free(h, p);
    return ARBITER_OK;
}

ARBITER_BOT(.name = "Search (C)", .choose_move = choose)
