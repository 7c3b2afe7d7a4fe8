/* Plays the first legal move, and says another name, version and author each time it is loaded. */
#define _GNU_SOURCE
#include "arbiter_bot.h"

#include <stdio.h>
#include <sys/random.h>

static char name[40], version[40], author[40];

static int32_t choose_move(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    (void)self;
    *move = turn->moves[0];
    return ARBITER_OK;
}

static arbiter_bot bot = {
    .magic = ARBITER_MAGIC,
    .abi = ARBITER_ABI,
    .struct_size = sizeof(arbiter_bot),
    .name = name,
    .version = version,
    .author = author,
    .choose_move = choose_move,
};

ARBITER_EXPORT const arbiter_bot *arbiter_bot_v1(uint32_t host_abi)
{
    unsigned long long number = 0;
    (void)host_abi;
    if (getrandom(&number, sizeof(number), 0) != (ssize_t)sizeof(number))
        return NULL;
    snprintf(name, sizeof(name), "Name %llu", number);
    snprintf(version, sizeof(version), "1.%llu", number);
    snprintf(author, sizeof(author), "Author %llu", number);
    return &bot;
}
