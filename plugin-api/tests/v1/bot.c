/*
 * A bot of the day on which version 1 was frozen: it calls every function of the host table, every extension of that
 * day, and one that never was, and plays the last legal move. It uses no library at all.
 */
#include "arbiter_bot.h"

#define FAIL_UNLESS(holds) do { if (!(holds)) return ARBITER_ERR_FAILED; } while (0)

static const arbiter_host *lent;
static uint32_t heard, asked;

static int is_equal(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

static int32_t create(const arbiter_host *host, void **self)
{
    FAIL_UNLESS(host->struct_size == sizeof(arbiter_host) && host->abi >> 16 == ARBITER_ABI_MAJOR);
    FAIL_UNLESS(is_equal(host->name, "arbiter") && host->version && host->version[0]);
    FAIL_UNLESS(host->extension(host, "arbiter.never/1") == 0);
    lent = host;
    *self = &heard;
    host->log(host, ARBITER_LOG_INFO, "built for version 1");
    return ARBITER_OK;
}

static void destroy(void *self)
{
    *(uint32_t *)self = 0;
}

static int32_t new_game(void *self, const arbiter_game *game)
{
    const arbiter_host *host = game->host;
    FAIL_UNLESS(self == &heard && host == lent && game->struct_size == sizeof(arbiter_game));
    FAIL_UNLESS(game->players >= 2 && game->players <= ARBITER_MAX_PLAYERS);
    FAIL_UNLESS(game->seat >= 0 && (uint32_t)game->seat < game->players);
    FAIL_UNLESS(host->cells(host, game->start, 0, 0) == game->width * game->height * game->depth);
    FAIL_UNLESS(game->rule_count == 0 || (game->rules[0].key && game->rules[0].value));
    FAIL_UNLESS(game->option_count == 1 && is_equal(game->options[0].key, "built"));
    FAIL_UNLESS(is_equal(game->options[0].value, "long ago") && game->start_text[0] && game->game[0]);
    FAIL_UNLESS(game->threads >= 1 && game->memory > 0 && game->max_errors > 0 && game->move_limit_ns > 0);
    heard = asked = 0;
    return ARBITER_OK;
}

/* Plays a move on a copy and takes it back. */
static int32_t try_out(const arbiter_turn *turn, arbiter_pos *copy, arbiter_move move)
{
    const arbiter_host *host = turn->host;
    static char text[ARBITER_MAX_MOVE_TEXT];
    static uint16_t path[ARBITER_MAX_PATH];
    static uint8_t column[8];
    const arbiter_chance_v1 *chance = host->extension(host, ARBITER_CHANCE_V1);
    uint64_t before = host->hash(host, copy);
    uint32_t kind = arbiter_move_kind(move);
    FAIL_UNLESS(kind >= ARBITER_KIND_PLACE && kind <= ARBITER_KIND_PASS);
    FAIL_UNLESS(host->move_text(host, copy, move, text, sizeof text) > 0);
    FAIL_UNLESS(host->move_parse(host, copy, text) == move);
    FAIL_UNLESS(move == ARBITER_MOVE_PASS || host->move_path(host, copy, move, path, ARBITER_MAX_PATH) > 0);
    host->column(host, copy, arbiter_move_to(move) % turn->cell_count, column, sizeof column);
    FAIL_UNLESS(host->outcome(host, copy, turn->seat) == ARBITER_RUNNING);
    FAIL_UNLESS(host->apply(host, copy, ARBITER_NO_MOVE) == ARBITER_ERR_ILLEGAL);
    FAIL_UNLESS(host->apply(host, copy, move) == ARBITER_OK && host->undo(host, copy) == ARBITER_OK);
    FAIL_UNLESS(chance && chance->apply_sampled(host, copy, move, host->random(host)) == ARBITER_OK);
    FAIL_UNLESS(host->undo(host, copy) == ARBITER_OK && host->undo(host, copy) == ARBITER_ERR_STATE);
    FAIL_UNLESS(host->hash(host, copy) == before && host->to_move(host, copy) == turn->seat);
    return ARBITER_OK;
}

static int32_t look_around(const arbiter_turn *turn, arbiter_pos *copy)
{
    const arbiter_host *host = turn->host;
    static arbiter_move moves[ARBITER_MAX_MOVES];
    static uint8_t cells[ARBITER_MAX_CELLS];
    static char text[ARBITER_MAX_TEXT];
    arbiter_pos *parsed;
    uint32_t i;
    FAIL_UNLESS(host->legal_moves(host, copy, moves, ARBITER_MAX_MOVES) == turn->move_count);
    FAIL_UNLESS(host->cells(host, copy, cells, ARBITER_MAX_CELLS) == turn->cell_count);
    for (i = 0; i < turn->move_count; i++)
        FAIL_UNLESS(moves[i] == turn->moves[i]);
    for (i = 0; i < turn->cell_count; i++)
        FAIL_UNLESS(cells[i] == turn->cells[i]);
    FAIL_UNLESS(host->pos_text(host, copy, text, sizeof text) < sizeof text && is_equal(text, turn->text));
    parsed = host->pos_parse(host, text);
    FAIL_UNLESS(parsed && host->hash(host, parsed) == host->hash(host, copy));
    FAIL_UNLESS(host->pos_set(host, parsed, turn->pos) == ARBITER_OK);
    host->pos_free(host, parsed);
    return try_out(turn, copy, turn->moves[turn->move_count - 1]);
}

static int32_t choose_move(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    const arbiter_host *host = turn->host;
    const arbiter_path_v1 *path = host->extension(host, ARBITER_PATH_V1);
    const arbiter_root_moves_v1 *root_moves = host->extension(host, ARBITER_ROOT_MOVES_V1);
    arbiter_pos *copy;
    arbiter_report report;
    int32_t found;
    FAIL_UNLESS(self == &heard && turn->struct_size == sizeof(arbiter_turn) && turn->move_count > 0);
    FAIL_UNLESS(*move == ARBITER_NO_MOVE && turn->game->host == host && turn->attempt == 0);
    FAIL_UNLESS(turn->history_count == turn->ply && turn->history && turn->clocks_ns[turn->seat] > 0);
    FAIL_UNLESS(heard == turn->ply && turn->soft_ns > 0 && turn->hard_ns > 0);
    FAIL_UNLESS(host->should_stop(host) <= ARBITER_ABANDON && host->time_left_ns(host) <= turn->hard_ns);
    FAIL_UNLESS(path && path->answer(host, 0, 0) == ARBITER_ERR_ARGUMENT && root_moves);
    copy = host->pos_copy(host, turn->pos);
    FAIL_UNLESS(copy);
    found = look_around(turn, copy);
    host->pos_free(host, copy);
    *move = turn->moves[turn->move_count - 1];
    report.struct_size = sizeof report;
    report.depth = 1;
    report.best = *move;
    report.nodes = turn->move_count;
    report.score = ARBITER_NO_SCORE;
    report.pv_count = 1;
    report.pv = move;
    report.text = "as of old";
    host->report(host, &report);
    root_moves->report(host, 1, 0, 0);
    asked++;
    return found;
}

static void played(void *self, const arbiter_event *event)
{
    if (self == &heard && event->struct_size == sizeof(arbiter_event) && event->move != ARBITER_NO_MOVE &&
        event->pos && event->text[0])
        heard++;
}

static void game_over(void *self, const arbiter_result *result)
{
    int is_whole = self == &heard && result->struct_size == sizeof(arbiter_result) && result->reason[0] &&
                   result->ranks[result->seat] >= 1 && result->outcomes[result->seat] == result->outcome;
    result->host->log(result->host, ARBITER_LOG_INFO, is_whole && asked > 0 ? "played to the end" : "misled");
}

static void stop(void *self)
{
    (void)self;
}

static const void *extension(void *self, const char *id)
{
    (void)self;
    (void)id;
    return 0;
}

ARBITER_BOT(.name = "Version 1", .version = "1", .author = "arbiter", .about = "Built when version 1 was frozen",
            .create = create, .destroy = destroy, .new_game = new_game, .choose_move = choose_move, .played = played,
            .game_over = game_over, .stop = stop, .extension = extension)
