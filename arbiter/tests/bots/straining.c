/*
 * Plays the first legal move after some work, whose kind and length its options say.
 *
 * Option "sleep" is milliseconds for which it sleeps first, "work" milliseconds of processor time that its thread uses
 * after that. Option "helpers" is a number of threads that keep its own one off the core instead: they work until the
 * whole process has used as many milliseconds as option "use" says, and it lets them run whenever it could run itself.
 * Option "told" makes it work until it is told to stop, "called" until its stop() is called.
 */
#define _GNU_SOURCE
#include "timing.h"

#include <pthread.h>
#include <sched.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t start = PTHREAD_COND_INITIALIZER;
static int is_started;
static volatile unsigned long done;

static void *help(void *unused)
{
    pthread_mutex_lock(&mutex);
    for (;;) {
        while (!__atomic_load_n(&is_started, __ATOMIC_SEQ_CST))
            pthread_cond_wait(&start, &mutex);
        pthread_mutex_unlock(&mutex);
        while (__atomic_load_n(&is_started, __ATOMIC_SEQ_CST))
            done++;
        pthread_mutex_lock(&mutex);
    }
    return unused;
}

static void set_helpers(int on)
{
    pthread_mutex_lock(&mutex);
    __atomic_store_n(&is_started, on, __ATOMIC_SEQ_CST);
    pthread_cond_broadcast(&start);
    pthread_mutex_unlock(&mutex);
}

static int32_t new_game(void *self, const arbiter_game *g)
{
    pthread_attr_t small;
    pthread_t thread;
    (void)self;
    game = g;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 16);
    for (int i = 0; i < option("helpers"); i++)
        if (pthread_create(&thread, &small, help, NULL) != 0)
            return ARBITER_ERR_FAILED;
    return ARBITER_OK;
}

static int is_called;

static void stop(void *self)
{
    (void)self;
    __atomic_store_n(&is_called, 1, __ATOMIC_SEQ_CST);
}

static int32_t choose_move(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    const long long used = at(CLOCK_PROCESS_CPUTIME_ID), worked = at(CLOCK_THREAD_CPUTIME_ID);
    (void)self;
    *move = turn->moves[0];
    if (option("sleep"))
        rest(option("sleep") * MS);
    while (at(CLOCK_THREAD_CPUTIME_ID) - worked < option("work") * MS)
        ;
    if (option("helpers")) {
        set_helpers(1);
        while (at(CLOCK_PROCESS_CPUTIME_ID) - used < option("use") * MS)
            sched_yield();
        set_helpers(0);
    }
    __atomic_store_n(&is_called, 0, __ATOMIC_SEQ_CST);
    while (option("called") && !__atomic_load_n(&is_called, __ATOMIC_SEQ_CST))
        done++;
    while (option("told") && turn->host->should_stop(turn->host) == ARBITER_GO_ON)
        ;
    return ARBITER_OK;
}

ARBITER_BOT(.name = "Straining", .new_game = new_game, .choose_move = choose_move, .stop = stop)
