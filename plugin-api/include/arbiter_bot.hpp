/*
 * arbiter_bot.hpp - bots as C++ classes (C++11 or later). Exceptions stay inside.
 *
 * A wrapper of version 1 of arbiter_bot.h, which says what everything means.
 *
 *     #include "arbiter_bot.hpp"
 *
 *     struct First : arbiter::Bot {
 *         arbiter_move choose_move(const arbiter_turn &turn) override { return turn.moves[0]; }
 *     };
 *
 *     ARBITER_BOT_CLASS(First, "First (C++)")
 *
 * Build it:   c++ -shared -fPIC -fvisibility=hidden -O2 -o first.so first.cpp
 *             and on Linux -static-libstdc++ -static-libgcc -Wl,--exclude-libs,ALL
 *
 * A bot says more about itself than its name by static functions of its class:
 *
 *     static const char *version() { return "1.0"; }
 *     static const char *games() { return "othello connect-four"; }
 */
#ifndef ARBITER_BOT_HPP
#define ARBITER_BOT_HPP

#include "arbiter_bot.h"

#include <cstring>
#include <exception>
#include <new>
#include <string>

namespace arbiter {

struct resign {}; /* throw it from choose_move to give the game up */

struct unsupported { /* throw it from new_game: not this game, not these options */
    std::string why; /* written to the match log */
};

/* A bot of yours is a class derived from this one. An instance may play several games, one after another. */
class Bot {
public:
    virtual ~Bot() {}
    virtual void new_game(const arbiter_game &) {}
    virtual arbiter_move choose_move(const arbiter_turn &turn) = 0;
    virtual void played(const arbiter_event &) {}
    virtual void game_over(const arbiter_result &) {}
    virtual void stop() {} /* from another thread: wake what waits, return at once */

    const arbiter_host *host = nullptr; /* set before new_game; null in the constructor */

    /* Declare any of these again in your class to say more about it. */
    static const char *version() { return nullptr; }
    static const char *author() { return nullptr; }
    static const char *about() { return nullptr; }
    static const char *games() { return nullptr; } /* ids with spaces between; null: any game */
    static uint32_t flags() { return 0; }          /* ARBITER_BOT_REENTRANT if nothing that changes
                                                      lives outside the objects of the class */
};

/* The value of an option given to this bot, or null. */
inline const char *option(const arbiter_game &game, const char *key)
{
    for (uint32_t i = 0; i < game.option_count; i++)
        if (std::strcmp(game.options[i].key, key) == 0)
            return game.options[i].value;
    return nullptr;
}

/* Answers a turn with a path of cells:  return arbiter::answer_path(turn, cells, count);  */
inline arbiter_move answer_path(const arbiter_turn &turn, const int32_t *cells, uint32_t count)
{
    const arbiter_host *h = turn.host;
    const arbiter_path_v1 *path = static_cast<const arbiter_path_v1 *>(h->extension(h, ARBITER_PATH_V1));
    if (!path || path->answer(h, cells, count) != ARBITER_OK)
        throw unsupported{"a path is no answer here"};
    return ARBITER_NO_MOVE;
}

/* Tells what every move is worth, if this arbiter takes that; see arbiter_root_moves_v1. */
inline void report_root_moves(const arbiter_host *h, uint32_t depth, const arbiter_root_move *moves, uint32_t count)
{
    const arbiter_root_moves_v1 *roots =
        static_cast<const arbiter_root_moves_v1 *>(h->extension(h, ARBITER_ROOT_MOVES_V1));
    if (roots)
        roots->report(h, depth, moves, count);
}

/* The file that was given to this bot beside its library, or null; see arbiter_payload_v1. */
inline const arbiter_payload_v1 *payload(const arbiter_host *h)
{
    return static_cast<const arbiter_payload_v1 *>(h->extension(h, ARBITER_PAYLOAD_V1));
}

/* A position of your own. */
class Position {
public:
    Position(const arbiter_host *h, const arbiter_pos *p) : h_(h), p_(h->pos_copy(h, p))
    {
        if (!p_)
            throw std::bad_alloc();
    }
    Position(const Position &o) : Position(o.h_, o.p_) {}
    Position(Position &&o) noexcept : h_(o.h_), p_(o.p_) { o.p_ = nullptr; }
    Position &operator=(Position o) noexcept
    {
        arbiter_pos *p = p_;
        p_ = o.p_;
        o.p_ = p;
        h_ = o.h_;
        return *this;
    }
    ~Position() { h_->pos_free(h_, p_); }

    bool apply(arbiter_move m) { return h_->apply(h_, p_, m) == ARBITER_OK; }
    bool undo() { return h_->undo(h_, p_) == ARBITER_OK; }
    int to_move() const { return h_->to_move(h_, p_); }
    int outcome(int32_t seat) const { return h_->outcome(h_, p_, seat); }
    uint32_t legal_moves(arbiter_move (&list)[ARBITER_MAX_MOVES]) const { return h_->legal_moves(h_, p_, list, ARBITER_MAX_MOVES); }
    uint32_t cells(uint8_t *cells, uint32_t cap) const { return h_->cells(h_, p_, cells, cap); }
    const arbiter_pos *raw() const { return p_; }
    /** For what extensions do to a position, such as apply_sampled. */
    arbiter_pos *raw() { return p_; }

private:
    const arbiter_host *h_;
    arbiter_pos *p_;
};

namespace detail {

template <class F> int32_t guard(const arbiter_host *h, F f) noexcept
{
    try {
        f();
        return ARBITER_OK;
    } catch (const resign &) {
        return ARBITER_RESIGN;
    } catch (const unsupported &e) {
        if (!e.why.empty())
            h->log(h, ARBITER_LOG_ERROR, e.why.c_str());
        return ARBITER_ERR_UNSUPPORTED;
    } catch (const std::bad_alloc &) {
        return ARBITER_ERR_MEMORY;
    } catch (const std::exception &e) {
        h->log(h, ARBITER_LOG_ERROR, e.what());
    } catch (...) {
        h->log(h, ARBITER_LOG_ERROR, "unknown exception");
    }
    return ARBITER_ERR_PANIC;
}

template <class B> struct Shim {
    static int32_t ARBITER_CALL create(const arbiter_host *h, void **self)
    {
        return guard(h, [&] {
            Bot *b = new B();
            b->host = h;
            *self = b;
        });
    }
    static void ARBITER_CALL destroy(void *s)
    {
        Bot *b = static_cast<Bot *>(s);
        const arbiter_host *h = b->host;
        guard(h, [&] { delete b; });
    }
    static int32_t ARBITER_CALL new_game(void *s, const arbiter_game *g)
    {
        Bot *b = static_cast<Bot *>(s);
        return guard(b->host, [&] { b->new_game(*g); });
    }
    static int32_t ARBITER_CALL choose_move(void *s, const arbiter_turn *t, arbiter_move *m)
    {
        Bot *b = static_cast<Bot *>(s);
        return guard(b->host, [&] { *m = b->choose_move(*t); });
    }
    static void ARBITER_CALL played(void *s, const arbiter_event *e)
    {
        Bot *b = static_cast<Bot *>(s);
        guard(b->host, [&] { b->played(*e); });
    }
    static void ARBITER_CALL game_over(void *s, const arbiter_result *r)
    {
        Bot *b = static_cast<Bot *>(s);
        guard(b->host, [&] { b->game_over(*r); });
    }
    static void ARBITER_CALL stop(void *s)
    {
        Bot *b = static_cast<Bot *>(s);
        guard(b->host, [&] { b->stop(); });
    }
};

} /* namespace detail */
} /* namespace arbiter */

/* Writes arbiter_bot_v1 for you. The table is a plain static on purpose: a static inside a template
   would be one and the same object in every library of the process that has a class of this name. */
#define ARBITER_BOT_CLASS(Class, Name)                                                          \
    ARBITER_EXPORT const arbiter_bot *ARBITER_CALL arbiter_bot_v1(uint32_t)                     \
    {                                                                                           \
        typedef ::arbiter::detail::Shim<Class> S;                                               \
        static const arbiter_bot the_bot = {ARBITER_MAGIC, ARBITER_ABI,                         \
            static_cast<uint32_t>(sizeof(arbiter_bot)), Class::flags(),                         \
            Name, Class::version(), Class::author(), Class::about(), Class::games(),            \
            S::create, S::destroy, S::new_game, S::choose_move, S::played, S::game_over,        \
            S::stop, nullptr};                                                                  \
        return &the_bot;                                                                        \
    }

#endif /* ARBITER_BOT_HPP */
