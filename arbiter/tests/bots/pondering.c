/*
 * Answers at once with the first legal move, and goes on thinking in a thread: 5 ms of processor time after every
 * answer. Option "long" makes that 300 ms, from new_game on. Option "pool" makes it honest: four threads share the work
 * of every turn, and sleep between the turns.
 */
#define _GNU_SOURCE
#include "options.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#define WORKERS 4

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static unsigned turn, busy;
static long thinks = 5000000;

static void think(long ns)
{
    struct timespec start, now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    while ((now.tv_sec - start.tv_sec) * 1000000000 + now.tv_nsec - start.tv_nsec < ns);
}

/* Begins when the answer has been taken. */
static void *ponder(void *host)
{
    const arbiter_host *h = host;
    while (h->should_stop(h) != ARBITER_ABANDON)
        nanosleep(&(struct timespec){0, 200000}, NULL);
    think(thinks);
    return NULL;
}

static void *help(void *unused)
{
    unsigned seen = 0;
    pthread_mutex_lock(&mutex);
    for (;;) {
        while (turn == seen)
            pthread_cond_wait(&work, &mutex);
        seen = turn;
        pthread_mutex_unlock(&mutex);
        think(100000);
        pthread_mutex_lock(&mutex);
        if (--busy == 0)
            pthread_cond_signal(&done);
    }
    return unused;
}

static int is_honest(const arbiter_game *game)
{
    return option_text(game, "pool") != NULL;
}

static int32_t new_game(void *self, const arbiter_game *game)
{
    pthread_t thread;
    (void)self;
    for (int i = 0; is_honest(game) && i < WORKERS; i++)
        if (pthread_create(&thread, NULL, help, NULL) != 0)
            return ARBITER_ERR_FAILED;
    if (option_text(game, "long")) {
        thinks = 300000000;
        return pthread_create(&thread, NULL, ponder, (void *)game->host) == 0 ? ARBITER_OK : ARBITER_ERR_FAILED;
    }
    return ARBITER_OK;
}

static int32_t choose_move(void *self, const arbiter_turn *t, arbiter_move *move)
{
    pthread_t thread;
    (void)self;
    *move = t->moves[0];
    if (!is_honest(t->game))
        return pthread_create(&thread, NULL, ponder, (void *)t->host) == 0 ? pthread_detach(thread) : ARBITER_ERR_FAILED;
    pthread_mutex_lock(&mutex);
    turn++;
    busy = WORKERS;
    pthread_cond_broadcast(&work);
    while (busy > 0)
        pthread_cond_wait(&done, &mutex);
    pthread_mutex_unlock(&mutex);
    return ARBITER_OK;
}

ARBITER_BOT(.name = "Pondering", .new_game = new_game, .choose_move = choose_move)
