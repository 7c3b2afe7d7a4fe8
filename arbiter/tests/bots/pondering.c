/*
 * Answers at once with the first legal move, and goes on thinking in a thread: 5 ms of processor time after every
 * answer. Option "pool" makes it honest: the thread waits for work that never comes.
 */
#define _GNU_SOURCE
#include "arbiter_bot.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;

static void *burn(void *unused)
{
    struct timespec used;
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    while (used.tv_nsec < 5000000);
    return unused;
}

static void *wait_for_work(void *unused)
{
    pthread_mutex_lock(&mutex);
    for (;;)
        pthread_cond_wait(&work, &mutex);
    return unused;
}

static int32_t new_game(void *self, const arbiter_game *game)
{
    (void)self;
    for (uint32_t i = 0; i < game->option_count; i++) {
        pthread_t thread;
        if (strcmp(game->options[i].key, "pool") == 0)
            return pthread_create(&thread, NULL, wait_for_work, NULL);
    }
    return ARBITER_OK;
}

static int32_t choose_move(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    pthread_t thread;
    (void)self;
    *move = turn->moves[0];
    if (turn->game->option_count == 0 && pthread_create(&thread, NULL, burn, NULL) == 0)
        pthread_detach(thread);
    return ARBITER_OK;
}

ARBITER_BOT(.name = "Pondering", .new_game = new_game, .choose_move = choose_move)
