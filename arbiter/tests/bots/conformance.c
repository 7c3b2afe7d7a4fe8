/*
 * Calls every function of the host table with good and bad arguments, and fails with the number of the line where an
 * answer is not what the header promises.
 */
#define _GNU_SOURCE
#include "arbiter_bot.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            char text[512];                                                       \
            snprintf(text, sizeof text, "line %d: %s", __LINE__, #condition);     \
            h->log(h, ARBITER_LOG_ERROR, text);                                   \
            return ARBITER_ERR_FAILED;                                            \
        }                                                                         \
    } while (0)

static uint64_t first_random;

static int32_t check_table(const arbiter_host *h)
{
    CHECK(h->struct_size == sizeof *h);
    CHECK(h->abi == ARBITER_ABI);
    CHECK(strcmp(h->name, "arbiter") == 0);
    CHECK(h->version[0] >= '0' && h->version[0] <= '9');
    CHECK(h->extension(h, ARBITER_PATH_V1) != NULL);
    CHECK(h->extension(h, ARBITER_CHANCE_V1) != NULL);
    CHECK(h->extension(h, ARBITER_ROOT_MOVES_V1) != NULL);
    CHECK(h->extension(h, "arbiter.future/1") == NULL);
    CHECK(h->extension(h, "") == NULL);
    CHECK(h->extension(h, NULL) == NULL);
    h->log(h, ARBITER_LOG_DEBUG, "debug");
    h->log(h, ARBITER_LOG_INFO, "info");
    h->log(h, ARBITER_LOG_WARN, "warn");
    h->log(h, 1000, "very loud");
    h->log(h, -1000, "very quiet");
    h->log(h, ARBITER_LOG_INFO, NULL);
    return ARBITER_OK;
}

/* Null pointers and numbers out of range. */
static int32_t check_bad_arguments(const arbiter_host *h, const arbiter_pos *p)
{
    arbiter_pos *copy = h->pos_copy(h, p);
    arbiter_move moves[ARBITER_MAX_MOVES];
    uint8_t cells[ARBITER_MAX_CELLS];
    char text[ARBITER_MAX_TEXT];
    CHECK(copy != NULL);
    CHECK(h->pos_copy(h, NULL) == NULL);
    h->pos_free(h, NULL);
    CHECK(h->pos_set(h, NULL, p) == ARBITER_ERR_ARGUMENT);
    CHECK(h->pos_set(h, copy, NULL) == ARBITER_ERR_ARGUMENT);
    CHECK(h->legal_moves(h, NULL, moves, ARBITER_MAX_MOVES) == 0);
    CHECK(h->apply(h, NULL, ARBITER_MOVE_PASS) == ARBITER_ERR_ARGUMENT);
    CHECK(h->undo(h, NULL) == ARBITER_ERR_ARGUMENT);
    CHECK(h->to_move(h, NULL) == ARBITER_SEAT_NONE);
    CHECK(h->outcome(h, NULL, 0) == ARBITER_ERR_ARGUMENT);
    CHECK(h->outcome(h, p, -1) == ARBITER_ERR_ARGUMENT);
    CHECK(h->outcome(h, p, 2) == ARBITER_ERR_ARGUMENT);
    CHECK(h->outcome(h, p, INT32_MAX) == ARBITER_ERR_ARGUMENT);
    CHECK(h->cells(h, NULL, cells, ARBITER_MAX_CELLS) == 0);
    CHECK(h->column(h, NULL, 0, cells, ARBITER_MAX_CELLS) == 0);
    CHECK(h->column(h, p, 64, cells, ARBITER_MAX_CELLS) == 0);
    CHECK(h->column(h, p, UINT32_MAX, cells, ARBITER_MAX_CELLS) == 0);
    CHECK(h->hash(h, NULL) == 0);
    CHECK(h->pos_text(h, NULL, text, sizeof text) == 0 && text[0] == 0);
    CHECK(h->pos_parse(h, NULL) == NULL);
    CHECK(h->pos_parse(h, "") == NULL);
    CHECK(h->pos_parse(h, "\xff\xfe") == NULL);
    CHECK(h->move_text(h, NULL, ARBITER_MOVE_PASS, text, sizeof text) == 0);
    CHECK(h->move_text(h, p, ARBITER_NO_MOVE, text, sizeof text) == 0);
    CHECK(h->move_text(h, p, UINT64_MAX, text, sizeof text) == 0);
    CHECK(h->move_text(h, p, arbiter_move_make(ARBITER_KIND_PLACE, 999, 999, 0), text, sizeof text) == 0);
    CHECK(h->move_parse(h, NULL, "d3") == ARBITER_NO_MOVE);
    CHECK(h->move_parse(h, p, NULL) == ARBITER_NO_MOVE);
    CHECK(h->move_parse(h, p, "z99") == ARBITER_NO_MOVE);
    CHECK(h->move_parse(h, p, "\xff") == ARBITER_NO_MOVE);
    CHECK(h->move_path(h, NULL, ARBITER_MOVE_PASS, NULL, 0) == 0);
    CHECK(h->move_path(h, p, ARBITER_NO_MOVE, NULL, 0) == 0);
    h->report(h, NULL);
    h->pos_free(h, copy);
    return ARBITER_OK;
}

/* The position of the arbiter is to be read, not to be changed. */
static int32_t check_lent_position(const arbiter_host *h, const arbiter_pos *p, arbiter_move move)
{
    arbiter_pos *lent = (arbiter_pos *)p;
    uint64_t before = h->hash(h, p);
    CHECK(h->apply(h, lent, move) == ARBITER_ERR_ARGUMENT);
    CHECK(h->undo(h, lent) == ARBITER_ERR_ARGUMENT);
    CHECK(h->pos_set(h, lent, p) == ARBITER_ERR_ARGUMENT);
    h->pos_free(h, lent);
    CHECK(h->hash(h, p) == before);
    return ARBITER_OK;
}

static int32_t check_playing(const arbiter_host *h, const arbiter_turn *t)
{
    arbiter_pos *copy = h->pos_copy(h, t->pos), *other = h->pos_copy(h, t->pos);
    const arbiter_chance_v1 *chance = h->extension(h, ARBITER_CHANCE_V1);
    arbiter_move first = t->moves[0];
    arbiter_move illegal = arbiter_move_make(ARBITER_KIND_PLACE, 0, 0, 0);
    CHECK(h->undo(h, copy) == ARBITER_ERR_STATE);
    CHECK(h->apply(h, copy, illegal) == ARBITER_ERR_ILLEGAL);
    CHECK(h->apply(h, copy, ARBITER_NO_MOVE) == ARBITER_ERR_ILLEGAL);
    CHECK(h->hash(h, copy) == h->hash(h, t->pos));
    CHECK(h->apply(h, copy, first) == ARBITER_OK);
    CHECK(h->hash(h, copy) != h->hash(h, t->pos));
    CHECK(h->to_move(h, copy) == 1 - t->seat);
    CHECK(h->outcome(h, copy, 0) == ARBITER_RUNNING);
    CHECK(h->pos_set(h, other, copy) == ARBITER_OK);
    CHECK(h->hash(h, other) == h->hash(h, copy));
    CHECK(h->undo(h, other) == ARBITER_ERR_STATE);
    CHECK(h->pos_set(h, copy, copy) == ARBITER_OK);
    CHECK(h->undo(h, copy) == ARBITER_ERR_STATE);
    CHECK(h->pos_set(h, copy, t->pos) == ARBITER_OK);
    CHECK(chance->apply_sampled(h, copy, illegal, 1) == ARBITER_ERR_ILLEGAL);
    CHECK(chance->apply_sampled(h, NULL, first, 1) == ARBITER_ERR_ARGUMENT);
    CHECK(chance->apply_sampled(h, copy, first, 1) == ARBITER_OK);
    CHECK(h->hash(h, copy) == h->hash(h, other));
    CHECK(h->undo(h, copy) == ARBITER_OK);
    CHECK(h->hash(h, copy) == h->hash(h, t->pos));
    h->pos_free(h, copy);
    h->pos_free(h, other);
    return ARBITER_OK;
}

/* A whole game from here: ends with outcomes, and takes itself back. */
static int32_t check_to_the_end(const arbiter_host *h, const arbiter_turn *t)
{
    arbiter_pos *copy = h->pos_copy(h, t->pos);
    arbiter_move moves[ARBITER_MAX_MOVES];
    uint32_t plies = 0;
    while (h->legal_moves(h, copy, moves, ARBITER_MAX_MOVES) > 0) {
        CHECK(h->to_move(h, copy) >= 0);
        CHECK(h->apply(h, copy, moves[0]) == ARBITER_OK);
        plies++;
    }
    CHECK(h->to_move(h, copy) == ARBITER_SEAT_NONE);
    CHECK(h->outcome(h, copy, 0) != ARBITER_RUNNING);
    CHECK(h->outcome(h, copy, 0) == -h->outcome(h, copy, 1));
    CHECK(h->apply(h, copy, moves[0]) == ARBITER_ERR_ILLEGAL);
    while (plies-- > 0)
        CHECK(h->undo(h, copy) == ARBITER_OK);
    CHECK(h->hash(h, copy) == h->hash(h, t->pos));
    h->pos_free(h, copy);
    return ARBITER_OK;
}

static int32_t check_buffers(const arbiter_host *h, const arbiter_turn *t)
{
    arbiter_move moves[ARBITER_MAX_MOVES] = {0};
    uint8_t cells[ARBITER_MAX_CELLS];
    uint16_t path[ARBITER_MAX_PATH] = {0};
    char text[ARBITER_MAX_TEXT], small[4];
    uint32_t length = (uint32_t)strlen(t->text);
    CHECK(h->legal_moves(h, t->pos, NULL, 0) == t->move_count);
    CHECK(h->legal_moves(h, t->pos, NULL, 99) == t->move_count);
    CHECK(h->legal_moves(h, t->pos, moves, 2) == t->move_count);
    CHECK(moves[0] == t->moves[0] && moves[1] == t->moves[1] && moves[2] == 0);
    CHECK(h->legal_moves(h, t->pos, moves, ARBITER_MAX_MOVES) == t->move_count);
    CHECK(memcmp(moves, t->moves, t->move_count * sizeof *moves) == 0);
    memset(cells, 99, sizeof cells);
    CHECK(h->cells(h, t->pos, NULL, 0) == t->cell_count);
    CHECK(h->cells(h, t->pos, cells, 3) == t->cell_count);
    CHECK(cells[2] != 99 && cells[3] == 99);
    CHECK(h->cells(h, t->pos, cells, sizeof cells) == t->cell_count);
    CHECK(memcmp(cells, t->cells, t->cell_count) == 0 && cells[t->cell_count] == 99);
    CHECK(h->column(h, t->pos, 27, cells, 0) == 1);
    CHECK(h->column(h, t->pos, 27, cells, 1) == 1 && cells[0] == t->cells[27]);
    CHECK(h->column(h, t->pos, 0, cells, 1) == 0);
    CHECK(h->pos_text(h, t->pos, NULL, 0) == length);
    memset(small, 99, sizeof small);
    CHECK(h->pos_text(h, t->pos, small, 3) == length);
    CHECK(strlen(small) == 2 && memcmp(small, t->text, 2) == 0 && small[3] == 99);
    CHECK(h->pos_text(h, t->pos, small, 1) == length && small[0] == 0);
    CHECK(h->pos_text(h, t->pos, text, length) == length && strlen(text) == length - 1);
    CHECK(h->pos_text(h, t->pos, text, sizeof text) == length);
    CHECK(strcmp(text, t->text) == 0);
    CHECK(h->move_text(h, t->pos, t->moves[0], text, sizeof text) == strlen(text));
    CHECK(h->move_parse(h, t->pos, text) == t->moves[0]);
    CHECK(h->move_path(h, t->pos, t->moves[0], path, 0) == 1 && path[0] == 0);
    CHECK(h->move_path(h, t->pos, t->moves[0], path, ARBITER_MAX_PATH) == 1);
    CHECK(path[0] == arbiter_move_to(t->moves[0]));
    return ARBITER_OK;
}

static int32_t check_text(const arbiter_host *h, const arbiter_turn *t)
{
    arbiter_pos *parsed = h->pos_parse(h, t->text);
    char text[ARBITER_MAX_TEXT];
    CHECK(parsed != NULL);
    CHECK(h->hash(h, parsed) == h->hash(h, t->pos));
    CHECK(h->undo(h, parsed) == ARBITER_ERR_STATE);
    h->pos_text(h, parsed, text, sizeof text);
    CHECK(strcmp(text, t->text) == 0);
    h->pos_free(h, parsed);
    return ARBITER_OK;
}

static int32_t check_turn(const arbiter_host *h, const arbiter_turn *t)
{
    CHECK(t->struct_size == sizeof *t);
    CHECK(t->seat == t->game->seat);
    CHECK(t->ply == t->history_count);
    CHECK(t->move_count > 1);
    CHECK(t->cell_count == 64);
    CHECK(t->players == 2);
    CHECK(t->host == t->game->host);
    CHECK(t->hard_ns == 60000000000 && t->soft_ns == 30000000000);
    CHECK(t->clocks_ns[0] == t->hard_ns && t->clocks_ns[1] == t->hard_ns);
    CHECK(h->time_left_ns(h) > 0 && h->time_left_ns(h) <= t->hard_ns);
    CHECK(h->should_stop(h) == ARBITER_GO_ON);
    return ARBITER_OK;
}

static int32_t check_path(const arbiter_host *h)
{
    const arbiter_path_v1 *path = h->extension(h, ARBITER_PATH_V1);
    int32_t cells[ARBITER_MAX_ANSWER] = {0};
    CHECK(path->answer(h, NULL, 0) == ARBITER_ERR_ARGUMENT);
    CHECK(path->answer(h, cells, ARBITER_MAX_ANSWER + 1) == ARBITER_ERR_ARGUMENT);
    CHECK(path->answer(h, cells, 2) == ARBITER_ERR_UNSUPPORTED);
    return ARBITER_OK;
}

static int32_t check_report(const arbiter_host *h, const arbiter_turn *t)
{
    arbiter_report small = {.struct_size = 4, .depth = 77, .nodes = 77};
    arbiter_report report = {.struct_size = sizeof report, .depth = 9, .best = t->moves[0], .nodes = 1234567,
                             .score = -50, .pv_count = 1, .pv = t->moves, .text = "thinking"};
    h->report(h, &small);
    h->report(h, &report);
    report.depth = 1; /* it was copied */

    const arbiter_root_moves_v1 *roots = h->extension(h, ARBITER_ROOT_MOVES_V1);
    arbiter_root_move list[] = {{t->moves[1], -7, ARBITER_AT_MOST}, {ARBITER_NO_MOVE, 99, ARBITER_EXACT},
                                {t->moves[0], 12, ARBITER_EXACT}, {t->moves[2], 3, ARBITER_AT_LEAST}};
    roots->report(h, 4, list, 4);
    roots->report(NULL, 4, list, 4);
    list[0].score = 1000; /* it was copied */
    return ARBITER_OK;
}

struct thread {
    pthread_t id;
    const arbiter_host *host;
    const arbiter_pos *root;
    uint64_t result;
};

static void *search(void *argument)
{
    struct thread *me = argument;
    const arbiter_host *h = me->host;
    for (int round = 0; round < 200; round++) {
        arbiter_pos *copy = h->pos_copy(h, me->root);
        arbiter_move moves[ARBITER_MAX_MOVES];
        for (int ply = 0; ply < 20; ply++) {
            uint32_t count = h->legal_moves(h, copy, moves, ARBITER_MAX_MOVES);
            if (count == 0)
                break;
            h->apply(h, copy, moves[(uint32_t)(round + ply) % count]);
        }
        me->result = me->result * 31 + h->hash(h, copy);
        h->pos_free(h, copy);
    }
    return NULL;
}

static int32_t check_threads(const arbiter_host *h, const arbiter_turn *t)
{
    struct thread threads[8] = {{0}};
    for (int i = 0; i < 8; i++) {
        threads[i].host = h;
        threads[i].root = t->pos;
        CHECK(pthread_create(&threads[i].id, NULL, search, &threads[i]) == 0);
    }
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i].id, NULL);
    for (int i = 1; i < 8; i++)
        CHECK(threads[i].result == threads[0].result);
    return ARBITER_OK;
}

#define CHECK_ALL(call)               \
    do {                              \
        int32_t status_ = (call);     \
        if (status_ != ARBITER_OK)    \
            return status_;           \
    } while (0)

static int32_t create(const arbiter_host *h, void **self)
{
    (void)self;
    CHECK(h->pos_parse(h, "x") == NULL);
    CHECK(h->should_stop(h) == ARBITER_ABANDON);
    return check_table(h);
}

static int32_t new_game(void *self, const arbiter_game *g)
{
    const arbiter_host *h = g->host;
    const arbiter_path_v1 *path = h->extension(h, ARBITER_PATH_V1);
    int32_t cell = 19;
    (void)self;
    CHECK(g->struct_size == sizeof *g);
    CHECK(strcmp(g->game, "othello") == 0);
    CHECK(g->players == 2 && g->width == 8 && g->height == 8 && g->depth == 1);
    CHECK(g->seat == 0);
    CHECK(g->seed == 42);
    CHECK(g->threads == 1);
    CHECK(g->max_errors == 3);
    CHECK(g->memory == (uint64_t)1 << 30);
    CHECK(g->time_ns == ARBITER_NO_LIMIT && g->increment_ns == 0);
    CHECK(g->move_limit_ns == 60000000000);
    CHECK(g->option_count == 1);
    CHECK(strcmp(g->options[0].key, "style") == 0 && strcmp(g->options[0].value, "wild") == 0);
    CHECK(g->rule_count == 0);
    CHECK(h->should_stop(h) == ARBITER_ABANDON);
    CHECK(path->answer(h, &cell, 1) == ARBITER_ERR_STATE);
    CHECK(h->to_move(h, g->start) == 0);
    first_random = h->random(h);
    CHECK(h->random(h) != first_random);
    return ARBITER_OK;
}

static int32_t choose_move(void *self, const arbiter_turn *t, arbiter_move *move)
{
    const arbiter_host *h = t->host;
    (void)self;
    CHECK(*move == ARBITER_NO_MOVE);
    CHECK_ALL(check_turn(h, t));
    CHECK_ALL(check_bad_arguments(h, t->pos));
    CHECK_ALL(check_lent_position(h, t->pos, t->moves[0]));
    CHECK_ALL(check_playing(h, t));
    CHECK_ALL(check_to_the_end(h, t));
    CHECK_ALL(check_buffers(h, t));
    CHECK_ALL(check_text(h, t));
    CHECK_ALL(check_path(h));
    CHECK_ALL(check_threads(h, t));
    CHECK_ALL(check_report(h, t));
    *move = t->moves[0];
    return ARBITER_OK;
}

ARBITER_BOT(.name = "Conformance", .create = create, .new_game = new_game, .choose_move = choose_move)
