// Lets an exception leave its function, as a bot does that has no wrapper.
#include "arbiter_bot.h"

#include <stdexcept>

static int32_t choose(void *, const arbiter_turn *, arbiter_move *)
{
    throw std::runtime_error("nobody catches me");
}

static const arbiter_bot table = {ARBITER_MAGIC, ARBITER_ABI, sizeof(arbiter_bot), 0, "Raiser", nullptr, nullptr,
                                  nullptr, nullptr, nullptr, nullptr, nullptr, choose, nullptr, nullptr, nullptr,
                                  nullptr};

extern "C" ARBITER_VISIBLE const arbiter_bot *arbiter_bot_v1(uint32_t)
{
    return &table;
}
