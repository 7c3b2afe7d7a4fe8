// Throws what its option asks for.
#include "arbiter_bot.hpp"

#include <stdexcept>
#include <thread>
#include <vector>

struct Thrower : arbiter::Bot {
    std::string what;
    void new_game(const arbiter_game &game) override
    {
        const char *given = arbiter::option(game, "what");
        what = given ? given : "";
        if (what == "unsupported")
            throw arbiter::unsupported{"not this one"};
    }
    arbiter_move choose_move(const arbiter_turn &turn) override
    {
        if (what == "exception")
            throw std::runtime_error("out of ideas");
        if (what == "number")
            throw 42;
        if (what == "resign")
            throw arbiter::resign{};
        if (what == "memory")
            std::vector<char> much(static_cast<size_t>(-1) / 4);
        int sum = 0;
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; i++)
            threads.emplace_back([&turn, &sum, i] {
                arbiter::Position position(turn.host, turn.pos);
                position.apply(turn.moves[0]);
                if (i == 0)
                    sum = position.to_move();
            });
        for (auto &thread : threads)
            thread.join();
        return turn.moves[sum - sum];
    }
};

ARBITER_BOT_CLASS(Thrower, "Thrower")
