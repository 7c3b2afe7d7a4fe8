/*
 * Does something wrong at a place of its choice, and otherwise plays the first legal move.
 *
 * Options "new_game", "choose_move", "played", "between_turns", "game_over" and "destroy" name the misdeed that
 * happens there; -DAT_LOAD="..." and -DAT_CREATE="..." do the same for places that come before any option.
 */
#define _GNU_SOURCE
#include "arbiter_bot.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const arbiter_game *game;
static const char *at_destroy;
static volatile int sink;

static int overflow(volatile char *above)
{
    volatile char frame[4096];
    frame[0] = above ? above[0] : 1;
    return sink ? 0 : overflow(frame) + frame[0];
}

/* The first block of memory that is shared with the referee. */
static char *shared_block(size_t *length)
{
    char line[512];
    unsigned long from = 0, to = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        if (strstr(line, "memfd:arbiter-bot") && sscanf(line, "%lx-%lx", &from, &to) == 2)
            break;
    if (maps)
        fclose(maps);
    *length = to - from;
    return (char *)from;
}

static void fill_memory(void)
{
    for (;;) {
        char *block = malloc(1 << 20);
        memset(block, 1, 1 << 20); /* a null pointer here is what ends it */
    }
}

static void flood(void)
{
    static char line[1 << 16];
    memset(line, 'x', sizeof line);
    for (int i = 0; i < 200; i++)
        if (write(i % 2 + 1, line, sizeof line) < 0)
            return;
    fputs("the last line\n", stderr);
}

/* Returns the status to be returned, if the misdeed leaves that choice. */
static int32_t commit(const char *misdeed, const arbiter_host *host)
{
    size_t length;
    char *block;
    sigset_t all;
    if (!misdeed || !*misdeed)
        return ARBITER_OK;
#define IS(name) (strcmp(misdeed, name) == 0)
    if (IS("segfault")) {
        *(volatile int *)0xdead0 = 1;
    } else if (IS("abort")) {
        abort();
    } else if (IS("divide")) {
        raise(SIGFPE);
    } else if (IS("illegal")) {
        __builtin_trap();
    } else if (IS("overflow")) {
        sink = overflow(0);
    } else if (IS("kill")) {
        kill(getpid(), SIGKILL);
    } else if (IS("exit 0")) {
        exit(0);
    } else if (IS("_exit 3")) {
        _exit(3);
    } else if (IS("close all")) {
        for (int file = 0; file < 1024; file++)
            close(file);
    } else if (IS("loop")) {
        for (;;)
            sink++;
    } else if (IS("sleep")) {
        for (;;)
            pause();
    } else if (IS("block signals and loop")) {
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, NULL);
        for (;;)
            sink++;
    } else if (IS("stop itself")) {
        raise(SIGSTOP);
        for (;;)
            pause();
    } else if (IS("fill memory")) {
        fill_memory();
    } else if (IS("flood")) {
        flood();
    } else if (IS("scribble")) {
        block = shared_block(&length);
        memset(block, 0xff, length);
        for (;;)
            pause();
    } else if (IS("unmap")) {
        block = shared_block(&length);
        munmap(block, length);
    } else if (IS("panic")) {
        host->log(host, ARBITER_LOG_ERROR, "index out of bounds");
        return ARBITER_ERR_PANIC;
    } else {
        return atoi(misdeed);
    }
    return ARBITER_OK;
#undef IS
}

static const char *option(const char *key)
{
    for (uint32_t i = 0; i < game->option_count; i++)
        if (strcmp(game->options[i].key, key) == 0)
            return game->options[i].value;
    return NULL;
}

#ifdef AT_LOAD
__attribute__((constructor)) static void load(void)
{
    commit(AT_LOAD, NULL);
}
#endif

static int32_t create(const arbiter_host *host, void **self)
{
    (void)host;
    *self = NULL;
#ifdef AT_CREATE
    return commit(AT_CREATE, host);
#else
    return ARBITER_OK;
#endif
}

static int32_t new_game(void *self, const arbiter_game *g)
{
    (void)self;
    game = g;
    at_destroy = option("destroy");
    return commit(option("new_game"), g->host);
}

/* Waits until the answer has been taken. */
static void *later(void *misdeed)
{
    while (game->host->should_stop(game->host) != ARBITER_ABANDON)
        sched_yield();
    commit(misdeed, NULL);
    return NULL;
}

static int32_t choose_move(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    const char *between_turns = option("between_turns");
    pthread_t thread;
    (void)self;
    *move = turn->moves[0];
    if (option("answer"))
        *move = strtoull(option("answer"), NULL, 0);
    if (between_turns)
        pthread_create(&thread, NULL, later, (void *)between_turns);
    return commit(option("choose_move"), turn->host);
}

static void played(void *self, const arbiter_event *event)
{
    (void)self;
    commit(option("played"), event->host);
}

static void game_over(void *self, const arbiter_result *result)
{
    (void)self;
    commit(option("game_over"), result->host);
}

static void destroy(void *self)
{
    (void)self;
    commit(at_destroy, NULL);
}

ARBITER_BOT(.name = "Faulty", .create = create, .destroy = destroy, .new_game = new_game,
            .choose_move = choose_move, .played = played, .game_over = game_over)
