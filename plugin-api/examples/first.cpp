// Plays the first move there is.
#include "arbiter_bot.hpp"

struct First : arbiter::Bot {
    arbiter_move choose_move(const arbiter_turn &turn) override { return turn.moves[0]; }
};

ARBITER_BOT_CLASS(First, "First (C++)")
