/* Prints a line a move, and as many more as its option `lines` says. */
#include "options.h"

#include <stdio.h>

static long lines;

static int32_t new_game(void *self, const arbiter_game *game)
{
    (void)self;
    lines = option_number(game, "lines");
    return ARBITER_OK;
}

static int32_t choose(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    (void)self;
    printf("\033[2Jthe first of\t%u moves\n", turn->move_count);
    for (long i = 0; i < lines; i++)
        printf("line %ld\n", i);
    fflush(stdout);
    *move = turn->moves[0];
    return ARBITER_OK;
}

ARBITER_BOT(.name = "Loud", .new_game = new_game, .choose_move = choose)
