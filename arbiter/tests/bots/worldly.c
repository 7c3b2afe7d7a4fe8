/*
 * An honest bot that uses of its system what programs use elsewhere. Plays the first legal move.
 *
 * Option "does" says what it does first; it fails if that has an effect that the bot could not play on with.
 */
#define _GNU_SOURCE
#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <pwd.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MS 1000000ll

static const arbiter_game *game;
static unsigned char seed[8];
static size_t seeded;

__attribute__((constructor)) static void take_a_seed(void)
{
    FILE *random = fopen("/dev/urandom", "rb");
    if (random) {
        seeded = fread(seed, 1, sizeof seed, random);
        fclose(random);
    }
}

static int does(const char *what)
{
    return strcmp(option_text(game, "does"), what) == 0;
}

static int32_t new_game(void *self, const arbiter_game *g)
{
    const size_t size = 100 << 20;
    char *table = NULL;
    (void)self;
    game = g;
    if (does("make a table"))
        for (size_t at = 0; at < size && (at || (table = malloc(size))); at += 1 << 12)
            ((volatile char *)table)[at] = 1;
    return ARBITER_OK;
}

/* What some C libraries do before they print. */
static int looks_at_its_output(void)
{
    struct stat found;
    return syscall(SYS_newfstatat, 1, "", &found, AT_EMPTY_PATH) == 0 && S_ISFIFO(found.st_mode);
}

static void *work(void *unused)
{
    sigset_t all, before, now;
    (void)unused;
    sigfillset(&all);
    sigaddset(&all, SIGSYS);
    if (pthread_sigmask(SIG_BLOCK, &all, &before) != 0 || sigismember(&before, SIGUSR1))
        return NULL;
    if (pthread_sigmask(SIG_SETMASK, NULL, &now) != 0 || !sigismember(&now, SIGUSR1) || !looks_at_its_output())
        return NULL;
    return pthread_sigmask(99, &all, NULL) == EINVAL ? &game : NULL;
}

static void *wait_at(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

static void handle(int signal)
{
    (void)signal;
}

static sigjmp_buf before_search;

static void jump(int signal)
{
    siglongjmp(before_search, looks_at_its_output() ? signal : -1);
}

/* How programs have ended a search for as long as there are alarms. */
static int is_called_back(void)
{
    struct sigaction action = {.sa_handler = jump}, set;
    int came;
    sigfillset(&action.sa_mask);
    if (sigaction(SIGALRM, &action, NULL) != 0 || sigaction(SIGALRM, NULL, &set) != 0)
        return 0;
    came = sigsetjmp(before_search, 1);
    if (came == 0) {
        raise(SIGALRM);
        return 0;
    }
    return came == SIGALRM && set.sa_handler == jump && sigismember(&set.sa_mask, SIGUSR1)
        && sigaction(SIGKILL, &action, NULL) == -1 && errno == EINVAL;
}

/* The same many times, by alarms that come while the search asks the system for something. */
static int is_called_back_in_calls(void)
{
    const struct itimerval soon = {.it_value.tv_usec = 50};
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    volatile int alarms = 0;
    if (!is_called_back() || signal(SIGALRM, jump) == SIG_ERR)
        return 0;
    while (alarms++ < 200)
        if (sigsetjmp(before_search, 1) == 0)
            for (setitimer(ITIMER_REAL, &soon, NULL);;)
                sigaction(SIGINT, &ignore, NULL);
    return 1;
}

/* Reads its clock at every node, for some milliseconds by that clock. */
static int goes_by(clockid_t clock)
{
    struct timespec now, first;
    if (clock_gettime(clock, &first) != 0)
        return 0;
    do
        if (clock_gettime(clock, &now) != 0)
            return 0;
    while ((now.tv_sec - first.tv_sec) * 1000 * MS + now.tv_nsec - first.tv_nsec < 10 * MS);
    return 1;
}

static int is_in_its_stack(void *place)
{
    pthread_attr_t attributes;
    void *lowest;
    size_t size;
    return pthread_getattr_np(pthread_self(), &attributes) == 0
        && pthread_attr_getstack(&attributes, &lowest, &size) == 0
        && (char *)place >= (char *)lowest && (char *)place < (char *)lowest + size;
}

/* What is done to a thread while it is there may fail, and ends nobody. */
static int with_a_worker(int gives_priority)
{
    struct sched_param parameters = {0};
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t worker;
    if (pthread_mutex_lock(&gate) != 0 || pthread_create(&worker, NULL, wait_at, &gate) != 0)
        return 0;
    if (gives_priority)
        pthread_setschedparam(worker, SCHED_OTHER, &parameters);
    else
        pthread_setname_np(worker, "worker");
    pthread_mutex_unlock(&gate);
    return pthread_join(worker, NULL) == 0 && pthread_setname_np(pthread_self(), "first") == 0;
}

static int knows_no_user(void)
{
    struct passwd entry, *found = &entry;
    char texts[1024];
    return getpwuid(getuid()) == NULL && getpwuid_r(getuid(), &entry, texts, sizeof texts, &found) == 0 && found == NULL;
}

static int32_t choose_move(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    pthread_t worker;
    clockid_t clock;
    void *well = NULL;
    (void)self;
    *move = turn->moves[0];
    if (does("block signals")) {
        if (pthread_create(&worker, NULL, work, NULL) == 0)
            pthread_join(worker, &well);
    } else if (does("handle signals")) {
        for (int number = 1; number < 32; number++)
            signal(number, handle);
        well = looks_at_its_output() ? &game : NULL;
    } else if (does("jump out of a handler")) {
        well = is_called_back_in_calls() ? &game : NULL;
    } else if (does("read its thread's clock")) {
        well = pthread_getcpuclockid(pthread_self(), &clock) == 0 && goes_by(clock) ? &game : NULL;
    } else if (does("read its process's clock")) {
        well = clock_getcpuclockid(getpid(), &clock) == 0 && goes_by(clock) ? &game : NULL;
    } else if (does("ask where its stack is")) {
        well = is_in_its_stack(&clock) ? &game : NULL;
    } else if (does("name a thread")) {
        well = with_a_worker(0) ? &game : NULL;
    } else if (does("give a thread a priority")) {
        well = with_a_worker(1) ? &game : NULL;
    } else if (does("ask who it is")) {
        well = knows_no_user() ? &game : NULL;
    } else if (does("take a seed when it is loaded")) {
        well = seeded == sizeof seed ? &game : NULL;
    } else if (does("open a semaphore for others")) {
        well = sem_open("/worldly", O_CREAT, 0600, 1) == SEM_FAILED && errno == EACCES ? &game : NULL;
    }
    return well ? ARBITER_OK : ARBITER_ERR_FAILED;
}

ARBITER_BOT(.name = "Worldly", .new_game = new_game, .choose_move = choose_move)
