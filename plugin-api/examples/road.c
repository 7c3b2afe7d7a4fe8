/* Answers with the cells its piece goes through, where the game and the arbiter take them. */
#include "arbiter_bot.h"

static int32_t choose(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    const arbiter_host *h = turn->host;
    const arbiter_path_v1 *path = (const arbiter_path_v1 *)h->extension(h, ARBITER_PATH_V1);
    uint16_t cells[ARBITER_MAX_PATH];
    int32_t road[ARBITER_MAX_PATH];
    uint32_t n = h->move_path(h, turn->pos, turn->moves[0], cells, ARBITER_MAX_PATH);
    (void)self;
    for (uint32_t i = 0; i < n; i++)
        road[i] = cells[i];
    if (!path || path->answer(h, road, n) != ARBITER_OK)
        *move = turn->moves[0];
    return ARBITER_OK;
}

ARBITER_BOT(.name = "Road (C)", .games = "chinese-checkers", .choose_move = choose)
