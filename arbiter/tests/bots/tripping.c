/*
 * Plays the first legal move, and makes the mistake that its option "mistake" names: each is one that bots make in
 * earnest, and shows only in one situation.
 */
#define _GNU_SOURCE
#include "options.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char mistake[64];
static arbiter_pos *board; /* the bot's own, kept up by what it is told */
static int is_stale, games_over, is_playing;
static volatile int sink;

/* Not static on purpose: it is exported where nothing hides it. */
int makes(const char *name)
{
    return strcmp(mistake, name) == 0;
}

/* For so much processor time: a busy machine forgives a bot that sleeps what it oversleeps. */
static void think(int64_t ns)
{
    clock_t until = clock() + ns / 1000;
    while (clock() < until)
        sink++;
}

static void keep(const arbiter_host *host, const arbiter_pos *pos)
{
    host->pos_free(host, board);
    board = host->pos_copy(host, pos);
}

static int32_t new_game(void *self, const arbiter_game *game)
{
    const char *named = option_text(game, "mistake");
    (void)self;
    snprintf(mistake, sizeof mistake, "%s", named ? named : "");
    if (makes("plays one game only") && games_over > 0)
        abort();
    if (makes("cleans up in game_over only") && is_playing)
        abort();
    if (makes("declines other sizes") && game->width != 7)
        return ARBITER_ERR_UNSUPPORTED;
    if (makes("cannot begin as the second") && game->seat == 1)
        return ARBITER_ERR_FAILED;
    is_playing = 1;
    is_stale = 0;
    keep(game->host, game->start);
    return ARBITER_OK;
}

static void played(void *self, const arbiter_event *event)
{
    const arbiter_host *host = event->host;
    int is_own = event->seat == event->game->seat;
    (void)self;
    if (event->move == ARBITER_MOVE_PASS) {
        if (makes(is_own ? "never passes" : "never sees a pass"))
            abort();
    }
    if (makes("ignores forced moves") && (event->flags & ARBITER_EVENT_FORCED))
        return;
    if (makes("ignores chance") && event->seat == ARBITER_SEAT_CHANCE)
        return;
    if (makes("takes every event for a move")) {
        if (event->seat != ARBITER_SEAT_CHANCE && host->apply(host, board, event->move) != ARBITER_OK)
            is_stale = 1;
        return;
    }
    if (event->seat == ARBITER_SEAT_CHANCE || (event->flags & ARBITER_EVENT_ELIMINATED))
        keep(host, event->pos);
    else if (host->apply(host, board, event->move) != ARBITER_OK)
        is_stale = 1;
}

static void *work(void *nothing)
{
    for (;;)
        sink++;
    return nothing;
}

/* The lowest empty cell of the first column that has one, on a grid of seven columns and six rows. */
static arbiter_move drop(const arbiter_turn *turn)
{
    for (uint32_t column = 0; column < 7; column++)
        for (uint32_t row = 6; row-- > 0;)
            if (turn->cells[row * 7 + column] == ARBITER_CELL_EMPTY)
                return arbiter_move_make(ARBITER_KIND_PLACE, row * 7 + column, row * 7 + column, 0);
    return ARBITER_NO_MOVE;
}

static int32_t choose_move(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    const arbiter_host *host = turn->host;
    const arbiter_game *game = turn->game;
    static int is_working;
    pthread_t thread;
    (void)self;
    *move = turn->moves[0];
    if (makes("answers nothing"))
        *move = ARBITER_NO_MOVE;
    if (makes("repeats a move") && turn->attempt > 0)
        *move = turn->history[turn->history_count - 1];
    if (makes("knows two seats") && turn->seat > 1)
        abort();
    if (makes("knows seven columns"))
        *move = drop(turn);
    if (makes("remembers 500 moves") && turn->history_count > 500)
        abort();
    if (makes("takes its time") && game->move_limit_ns < 1000000000)
        think(60000000);
    if (makes("plans by the first clock") && game->time_ns != ARBITER_NO_LIMIT)
        think(game->time_ns / 600);
    if (makes("ignores STOP") && turn->soft_ns > 200000000 && turn->hard_ns != ARBITER_NO_LIMIT)
        think(turn->hard_ns);
    if (makes("ponders") && !is_working++)
        pthread_create(&thread, NULL, work, NULL);
    if (makes("talks"))
        printf("I like \033[31mred\n"), fflush(stdout);
    if (makes("resigns at once"))
        return ARBITER_RESIGN;
    if (is_stale || host->hash(host, board) != host->hash(host, turn->pos))
        return ARBITER_ERR_STATE; /* its own board is not the one that it is asked about */
    return ARBITER_OK;
}

static void game_over(void *self, const arbiter_result *result)
{
    (void)self;
    (void)result;
    games_over++;
    is_playing = 0;
}

ARBITER_BOT(.name = "Tripping", .new_game = new_game, .choose_move = choose_move, .played = played,
            .game_over = game_over)
