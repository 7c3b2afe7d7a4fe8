/* Plays the move that leaves it with the most pieces. */
#include "arbiter_bot.h"

static int pieces(const arbiter_host *h, const arbiter_pos *p, int32_t seat)
{
    uint8_t cells[ARBITER_MAX_CELLS];
    uint32_t n = h->cells(h, p, cells, ARBITER_MAX_CELLS);
    int mine = 0;
    for (uint32_t c = 0; c < n; c++)
        mine += cells[c] == ARBITER_CELL_OF(seat);
    return mine;
}

static int32_t choose(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    const arbiter_host *h = turn->host;
    arbiter_pos *p = h->pos_copy(h, turn->pos);
    int best = -1;
    (void)self;
    if (!p)
        return ARBITER_ERR_MEMORY;
    for (uint32_t i = 0; i < turn->move_count; i++) {
        h->apply(h, p, turn->moves[i]);
        int mine = pieces(h, p, turn->seat);
        h->undo(h, p);
        if (mine > best) {
            best = mine;
            *move = turn->moves[i];
        }
    }
    h->pos_free(h, p);
    return ARBITER_OK;
}

ARBITER_BOT(.name = "Greedy (C)", .games = "othello", .choose_move = choose)
