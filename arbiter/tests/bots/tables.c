/* Gives tables that are wrong in the ways that its test asks for. */
#define _GNU_SOURCE
#include "arbiter_bot.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A test changes the second number in the compiled file. */
volatile const uint32_t declared_size[] = {0x51ce0f0fu, sizeof(arbiter_bot)};

static int32_t choose(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    (void)self;
    *move = turn->moves[0];
    return ARBITER_OK;
}

static void played(void *self, const arbiter_event *event)
{
    (void)self;
    (void)event;
    abort();
}

static const arbiter_bot table = {
    .magic = ARBITER_MAGIC,
    .abi = ARBITER_ABI,
    .name = "Tables",
    .choose_move = choose,
    .played = played,
};

ARBITER_EXPORT const arbiter_bot *arbiter_bot_v1(uint32_t host_abi)
{
    static arbiter_bot changed;
    (void)host_abi;
    changed = table;
    changed.struct_size = sizeof changed;
#if defined(NULL_TABLE)
    return NULL;
#elif defined(WRONG_MAGIC)
    changed.magic = 0x12345678;
    return &changed;
#elif defined(WRONG_ABI)
    changed.abi = 2u << 16;
    return &changed;
#elif defined(NO_NAME)
    changed.name = NULL;
    return &changed;
#elif defined(EMPTY_NAME)
    changed.name = "";
    return &changed;
#elif defined(BLANK_NAME)
    changed.name = " \t\xc2\xa0"; /* the last is a blank too */
    return &changed;
#elif defined(SPREAD_NAME)
    changed.name = " Ta\xc2\xa0 bles\n";
    return &changed;
#elif defined(LONG_NAME)
    changed.name = "a name of sixty-four bytes, which is exactly one more than fits.";
    return &changed;
#elif defined(NOT_UTF8)
    changed.name = "caf\xe9";
    return &changed;
#elif defined(NO_CHOOSE_MOVE)
    changed.choose_move = NULL;
    return &changed;
#else
    /* As many bytes as declared, and after them a page that nobody can read. */
    size_t page = 4096, size = declared_size[1];
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(pages + page, page, PROT_NONE);
    changed.struct_size = (uint32_t)size;
    memcpy(pages + page - size, &changed, size < sizeof changed ? size : sizeof changed);
    return (const arbiter_bot *)(pages + page - size);
#endif
}
