/* Random numbers that follow from the seed of the game alone, so that two runs of the same games are equal. */
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
