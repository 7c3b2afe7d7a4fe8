/* A bridge that never gets ready: the processes of its bots stay where no code of a bot has run. */
#define _GNU_SOURCE
#include "arbiter_bot.h"

#include <unistd.h>

static int32_t find(const char *runtime, char *found, uint32_t room)
{
    (void)runtime;
    if (room > 0)
        found[0] = 0;
    return ARBITER_OK;
}

static int32_t start(const char *found, char *problem, uint32_t room)
{
    (void)found, (void)problem, (void)room;
    for (;;)
        pause();
    return ARBITER_OK;
}

static const arbiter_bot *open_bot(const void *payload, char *problem, uint32_t room)
{
    (void)payload, (void)problem, (void)room;
    return NULL;
}

/* As `plugin-api/src/bridge.rs` declares it. */
static const struct {
    uint32_t magic, abi, struct_size, flags;
    int32_t (*find)(const char *, char *, uint32_t);
    int32_t (*start)(const char *, char *, uint32_t);
    const arbiter_bot *(*open)(const void *, char *, uint32_t);
} bridge = { ARBITER_MAGIC, ARBITER_ABI, sizeof(bridge), 0, find, start, open_bot };

ARBITER_EXPORT const void *arbiter_bridge_v1(uint32_t host_abi)
{
    (void)host_abi;
    return &bridge;
}
