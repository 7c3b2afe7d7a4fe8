/* What bots need that use time in a way that their options choose: those options, as numbers, and clocks. */
#include "options.h"

#include <time.h>

#define MS 1000000ll

/* The game that is being played; `new_game` sets it. */
static const arbiter_game *game;

/* What an option says; 0 if it is not there. */
static long long option(const char *key)
{
    return option_number(game, key);
}

/* Nanoseconds on a clock. */
static long long at(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}

/* Sleeps for so many nanoseconds. */
static void rest(long long ns)
{
    clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){ns / 1000000000, ns % 1000000000}, NULL);
}
