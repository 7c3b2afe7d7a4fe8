/*
 * Plays the first legal move after using time in a way that its options choose. Each is a number; what is left out is
 * not done. In this order:
 *
 *   prepare_ms     processor time used in new_game
 *   crowd          in its first turn, so many threads that begin together and use 4 ms of processor time each, while it
 *                  sleeps
 *   sleep_ms       sleeps so long
 *   pool           has so many threads compute for 100 us each, which sleep between the turns
 *   work_ms        uses so much processor time of the whole process
 *   apart          does that work in a thread of its own, which ends
 *   fault_mb       maps, touches and gives back so many MiB, again and again, until the process has used the time of
 *                  work_ms; without work_ms, for ever
 *   ping_pong      so many times in turns with another thread, computes for 60 us while the other one waits
 *   helpers        so many threads keep its own one off the core, until the process has used use_ms in this turn; it
 *                  lets them run whenever it could run itself
 *   blinkers       so many threads that run and sleep for blink_us each, in turns, for ever
 *   yield_loop     gives the processor away, for ever
 *   obey           computes until it is told to stop
 *   obey_time      computes until it has less than 2 ms left
 *   called         computes until its stop is called, where it is compiled with -DSTOP
 *   timers_behind  makes so many timers, which all go off while the opponent thinks: after timers_ms, or 5
 *   ponder_ms      uses so much processor time in a thread of its own as soon as its answer has been taken
 *   ponder_first   does that from new_game on
 *
 * With its answer it reports what its process has used between the turns, as nodes: one is a microsecond.
 */
#define _GNU_SOURCE
#include "timing.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>

static volatile unsigned long sink;
/* The processor time of the process when its last turn ended. */
static long long turn_ended;

static void work(clockid_t clock, long long ns)
{
    for (long long begun = at(clock); at(clock) - begun < ns;)
        for (int i = 0; i < 500; i++)
            sink++;
}

static void touch(long long mib)
{
    size_t size = (size_t)mib << 20;
    char *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        abort();
    for (size_t i = 0; i < size; i += 4096)
        ((volatile char *)block)[i] = 1;
    munmap(block, size);
}

static void fault(long long mib, long long ns)
{
    long long begun = at(CLOCK_PROCESS_CPUTIME_ID);
    do
        touch(mib);
    while (!ns || at(CLOCK_PROCESS_CPUTIME_ID) - begun < ns);
}

static void compute_in_turn(int own)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
    static int whose;
    pthread_mutex_lock(&lock);
    while (whose != own)
        pthread_cond_wait(&changed, &lock);
    work(CLOCK_THREAD_CPUTIME_ID, 60000);
    whose = !own;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void *pong(void *unused)
{
    for (;;)
        compute_in_turn(1);
    return unused;
}

static void ping(long long times)
{
    static pthread_t other;
    if (times > 0 && !other && pthread_create(&other, NULL, pong, NULL) != 0)
        abort();
    while (times-- > 0)
        compute_in_turn(0);
}

static void *blink(void *unused)
{
    long long ns = option("blink_us") * 1000;
    for (;;) {
        work(CLOCK_MONOTONIC, ns);
        rest(ns);
    }
    return unused;
}

static void blink_together(long long count)
{
    pthread_t thread;
    for (int started = 1; started < count; started++)
        if (pthread_create(&thread, NULL, blink, NULL) != 0)
            abort();
    if (count > 0)
        blink(NULL);
}

static void start_threads(long long count, void *(*does)(void *))
{
    pthread_t thread;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 16);
    while (count-- > 0)
        if (pthread_create(&thread, &small, does, NULL) != 0)
            abort();
}

static void *work_a_little(void *unused)
{
    work(CLOCK_THREAD_CPUTIME_ID, 4000000);
    pause();
    return unused;
}

static void start_together(long long count)
{
    static int have_started;
    if (!have_started++)
        start_threads(count, work_a_little);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_started, turn_of_pool, busy;

static void *help(void *unused)
{
    pthread_mutex_lock(&mutex);
    for (;;) {
        while (!__atomic_load_n(&is_started, __ATOMIC_SEQ_CST))
            pthread_cond_wait(&changed, &mutex);
        pthread_mutex_unlock(&mutex);
        while (__atomic_load_n(&is_started, __ATOMIC_SEQ_CST))
            sink++;
        pthread_mutex_lock(&mutex);
    }
    return unused;
}

static void set_helpers(int on)
{
    pthread_mutex_lock(&mutex);
    __atomic_store_n(&is_started, on, __ATOMIC_SEQ_CST);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}

static void let_help(long long used)
{
    set_helpers(1);
    while (at(CLOCK_PROCESS_CPUTIME_ID) - used < option("use_ms") * MS)
        sched_yield();
    set_helpers(0);
}

static void *work_in_pool(void *unused)
{
    int seen = 0;
    pthread_mutex_lock(&mutex);
    for (;;) {
        while (turn_of_pool == seen)
            pthread_cond_wait(&changed, &mutex);
        seen = turn_of_pool;
        pthread_mutex_unlock(&mutex);
        work(CLOCK_THREAD_CPUTIME_ID, 100000);
        pthread_mutex_lock(&mutex);
        if (--busy == 0)
            pthread_cond_broadcast(&changed);
    }
    return unused;
}

static void share(int workers)
{
    pthread_mutex_lock(&mutex);
    turn_of_pool++;
    busy = workers;
    pthread_cond_broadcast(&changed);
    while (busy > 0)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}

static int is_called;

#ifdef STOP
static void stop(void *self)
{
    (void)self;
    __atomic_store_n(&is_called, 1, __ATOMIC_SEQ_CST);
}
#endif

static void nothing(int signal)
{
    (void)signal;
}

static void leave_timers(long long count)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
    long long ns = (option("timers_ms") ? option("timers_ms") : 5) * MS;
    timer_t timer;
    signal(SIGRTMIN, nothing);
    while (count-- > 0 && timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
        timer_settime(timer, 0, &(struct itimerspec){.it_value = {ns / 1000000000, ns % 1000000000}}, NULL);
}

/* Begins when the answer has been taken. */
static void *ponder(void *host)
{
    const arbiter_host *h = host;
    while (h->should_stop(h) != ARBITER_ABANDON)
        rest(200000);
    work(CLOCK_THREAD_CPUTIME_ID, option("ponder_ms") * MS);
    return NULL;
}

static void *work_apart(void *unused)
{
    work(CLOCK_PROCESS_CPUTIME_ID, option("work_ms") * MS);
    return unused;
}

static int32_t start_pondering(const arbiter_host *host)
{
    pthread_t thread;
    return pthread_create(&thread, NULL, ponder, (void *)host) == 0 ? pthread_detach(thread) : ARBITER_ERR_FAILED;
}

static int32_t new_game(void *self, const arbiter_game *g)
{
    (void)self;
    game = g;
    start_threads(option("helpers"), help);
    start_threads(option("pool"), work_in_pool);
    work(CLOCK_PROCESS_CPUTIME_ID, option("prepare_ms") * MS);
    turn_ended = at(CLOCK_PROCESS_CPUTIME_ID);
    return option("ponder_first") ? start_pondering(g->host) : ARBITER_OK;
}

static int32_t finish(int32_t answer)
{
    turn_ended = at(CLOCK_PROCESS_CPUTIME_ID);
    return answer;
}

static int32_t choose_move(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    const arbiter_host *host = turn->host;
    long long begun = at(CLOCK_PROCESS_CPUTIME_ID), between = begun - turn_ended;
    arbiter_report report = {.struct_size = sizeof report, .score = ARBITER_NO_SCORE, .nodes = (uint64_t)between / 1000};
    pthread_t thread;
    (void)self;
    *move = turn->moves[0];
    host->report(host, &report);
    start_together(option("crowd"));
    if (option("sleep_ms"))
        rest(option("sleep_ms") * MS);
    if (option("pool"))
        share((int)option("pool"));
    if (option("fault_mb"))
        fault(option("fault_mb"), option("work_ms") * MS);
    else if (!option("apart"))
        work_apart(NULL);
    else if (pthread_create(&thread, NULL, work_apart, NULL) != 0 || pthread_join(thread, NULL) != 0)
        abort();
    ping(option("ping_pong"));
    if (option("helpers"))
        let_help(begun);
    blink_together(option("blinkers"));
    while (option("yield_loop"))
        sched_yield();
    while (option("obey") && host->should_stop(host) == ARBITER_GO_ON)
        sink++;
    while (option("obey_time") && host->time_left_ns(host) >= 2 * MS)
        sink++;
    __atomic_store_n(&is_called, 0, __ATOMIC_SEQ_CST);
    while (option("called") && !__atomic_load_n(&is_called, __ATOMIC_SEQ_CST))
        sink++;
    leave_timers(option("timers_behind"));
    return finish(option("ponder_ms") ? start_pondering(host) : ARBITER_OK);
}

#ifdef STOP
ARBITER_BOT(.name = "Clocked", .new_game = new_game, .choose_move = choose_move, .stop = stop)
#else
ARBITER_BOT(.name = "Clocked", .new_game = new_game, .choose_move = choose_move)
#endif
