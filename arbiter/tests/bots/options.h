/* What options of a bot say. */
#include "arbiter_bot.h"

#include <stdlib.h>
#include <string.h>

/* What an option says, as a text and as a number; null, or 0, if it is not there. */
static inline const char *option_text(const arbiter_game *game, const char *key)
{
    for (uint32_t i = 0; i < game->option_count; i++)
        if (strcmp(game->options[i].key, key) == 0)
            return game->options[i].value;
    return NULL;
}

static inline long option_number(const arbiter_game *game, const char *key)
{
    const char *text = option_text(game, key);
    return text ? atol(text) : 0;
}
