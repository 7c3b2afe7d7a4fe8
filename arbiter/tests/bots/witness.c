/* Writes to the log what it is told, one line each, and does other harmless things that its options ask for. */
#define _GNU_SOURCE
#include "options.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static int turns; /* a global on purpose: two players of one library must not share it */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken = PTHREAD_COND_INITIALIZER;
static int wakes;

static void say(const arbiter_host *h, const char *text)
{
    h->log(h, ARBITER_LOG_INFO, text);
}

/* Thinks until nobody wants the answer any more, and says how the level rose. */
static void watch_level(const arbiter_host *h)
{
    char text[64];
    int32_t level = -1;
    while (level != ARBITER_ABANDON) {
        int32_t now = h->should_stop(h);
        if (now == level)
            continue;
        snprintf(text, sizeof text, "level %d", (int)now);
        say(h, text);
        level = now;
    }
}

/* Sleeps until stop() has been called three times. */
static void sleep_through_levels(const arbiter_host *h)
{
    pthread_mutex_lock(&lock);
    for (wakes = 0; wakes < 3;)
        pthread_cond_wait(&woken, &lock);
    pthread_mutex_unlock(&lock);
    say(h, "woken");
}

static void stop(void *self)
{
    (void)self;
    pthread_mutex_lock(&lock);
    wakes++;
    pthread_cond_signal(&woken);
    pthread_mutex_unlock(&lock);
}

static int use_stack(int depth)
{
    volatile char frame[65536];
    frame[0] = (char)depth;
    frame[sizeof frame - 1] = 1;
    return depth == 0 ? 0 : use_stack(depth - 1) + frame[0] * frame[sizeof frame - 1];
}

static int32_t answer_with_path(const arbiter_turn *t)
{
    const arbiter_path_v1 *path = t->host->extension(t->host, ARBITER_PATH_V1);
    int32_t wrong[] = {1, 2, 3, 4}, road[ARBITER_MAX_PATH];
    uint16_t cells[ARBITER_MAX_PATH];
    uint32_t count = t->host->move_path(t->host, t->pos, t->moves[0], cells, ARBITER_MAX_PATH);
    for (uint32_t i = 0; i < count; i++)
        road[i] = cells[i];
    path->answer(t->host, wrong, 4);
    return path->answer(t->host, road, count);
}

/* Says which files it holds open beside the standard ones, by their kinds, and does not begin. */
static int32_t tell_holdings(const arbiter_host *h)
{
    int sockets = 0, pipes = 0, files = 0, others = 0;
    char text[96];
    for (int number = 3; number < 64; number++) {
        struct stat about;
        if (fstat(number, &about) != 0)
            continue;
        int *kind = S_ISSOCK(about.st_mode) ? &sockets : S_ISFIFO(about.st_mode) ? &pipes : &others;
        ++*(S_ISREG(about.st_mode) ? &files : kind);
    }
    snprintf(text, sizeof text, "%d sockets, %d pipes, %d files, %d others", sockets, pipes, files, others);
    say(h, text);
    return ARBITER_ERR_FAILED;
}

static int32_t new_game(void *self, const arbiter_game *g)
{
    const char *big = option_text(g, "big"), *what = option_text(g, "do");
    char text[256];
    (void)self;
    snprintf(text, sizeof text, "new game %s seat %d, first random number %" PRIu64, g->game, (int)g->seat,
             g->host->random(g->host));
    say(g->host, text);
    snprintf(text, sizeof text, "an option of %zu bytes", big ? strlen(big) : 0);
    say(g->host, text);
    return what && strcmp(what, "tell holdings") == 0 ? tell_holdings(g->host) : ARBITER_OK;
}

static int32_t choose_move(void *self, const arbiter_turn *t, arbiter_move *move)
{
    const arbiter_host *h = t->host;
    const char *named = option_text(t->game, "do"), *what = named ? named : "";
    char text[256];
    (void)self;
    snprintf(text, sizeof text, "turn %d at ply %u, attempt %u, history %u", ++turns, t->ply, t->attempt,
             t->history_count);
    say(h, text);
    snprintf(text, sizeof text, "turn %d", turns);
    h->report(h, &(arbiter_report){.struct_size = sizeof(arbiter_report), .score = ARBITER_NO_SCORE, .text = text});
    *move = t->moves[0];
    if (strcmp(what, "watch level") == 0)
        watch_level(h);
    if (strcmp(what, "sleep") == 0)
        sleep_through_levels(h);
    if (strcmp(what, "use stack") == 0)
        use_stack(8 * 1024 * 1024 / 65536 - 4);
    if (strcmp(what, "answer with path") == 0) {
        *move = ARBITER_NO_MOVE;
        return answer_with_path(t);
    }
    if (strcmp(what, "empty path") == 0) {
        const arbiter_path_v1 *path = h->extension(h, ARBITER_PATH_V1);
        int32_t none = 0;
        *move = ARBITER_NO_MOVE;
        return path->answer(h, &none, 0);
    }
    return ARBITER_OK;
}

static void played(void *self, const arbiter_event *e)
{
    const arbiter_host *h = e->host;
    char text[512];
    (void)self;
    snprintf(text, sizeof text, "ply %u seat %d %s flags %u took %" PRId64 " then seat %d", e->ply, (int)e->seat,
             e->text, e->flags, e->time_ns, (int)h->to_move(h, e->pos));
    say(h, text);
}

static void game_over(void *self, const arbiter_result *r)
{
    char text[256];
    (void)self;
    snprintf(text, sizeof text, "over: %d %s, ranks %d %d, score %d", (int)r->outcome, r->reason, (int)r->ranks[0],
             (int)r->ranks[1], r->scores ? (int)r->scores[r->seat] : -1);
    say(r->host, text);
}

static void destroy(void *self)
{
    (void)self;
}

#ifdef REENTRANT
#define FLAGS ARBITER_BOT_REENTRANT
#else
#define FLAGS 0
#endif

ARBITER_BOT(.flags = FLAGS, .name = "Witness", .destroy = destroy, .new_game = new_game,
            .choose_move = choose_move, .played = played, .game_over = game_over, .stop = stop)
