// A C++ bot that throws in every place, and the calls of an arbiter that is only a log.
#include "arbiter_bot.hpp"

#include <cstdio>
#include <stdexcept>

struct Thrower : arbiter::Bot {
    static const char *version() { return "0.1"; }

    void new_game(const arbiter_game &game) override
    {
        const char *how = arbiter::option(game, "how");
        if (!how)
            throw arbiter::unsupported();
        if (std::strcmp(how, "quiet") != 0)
            throw arbiter::unsupported{std::string("no such how: ") + how};
    }
    arbiter_move choose_move(const arbiter_turn &turn) override
    {
        if (turn.ply == 0)
            throw arbiter::resign();
        if (turn.ply == 1)
            throw std::runtime_error("lost the thread");
        if (turn.ply == 2)
            throw 42;
        return turn.moves[0];
    }
    void played(const arbiter_event &) override { throw std::runtime_error("did not want to know"); }
};

ARBITER_BOT_CLASS(Thrower, "Thrower")

static void ARBITER_CALL log_it(const arbiter_host *, int32_t level, const char *text)
{
    std::printf("log %d: %s\n", static_cast<int>(level), text);
}

int main()
{
    const arbiter_bot *bot = arbiter_bot_v1(ARBITER_ABI);
    std::printf("%s %s, flags %u\n", bot->name, bot->version, static_cast<unsigned>(bot->flags));

    arbiter_host host = arbiter_host();
    host.log = log_it;
    void *self = nullptr;
    std::printf("create: %d\n", static_cast<int>(bot->create(&host, &self)));

    arbiter_game game = arbiter_game();
    game.host = &host;
    std::printf("new_game: %d\n", static_cast<int>(bot->new_game(self, &game)));
    arbiter_option option = {"how", "loud"};
    game.options = &option;
    game.option_count = 1;
    std::printf("new_game: %d\n", static_cast<int>(bot->new_game(self, &game)));
    option.value = "quiet";
    std::printf("new_game: %d\n", static_cast<int>(bot->new_game(self, &game)));

    arbiter_turn turn = arbiter_turn();
    const arbiter_move moves[] = {ARBITER_MOVE_PASS};
    turn.moves = moves;
    turn.move_count = 1;
    for (; turn.ply < 4; turn.ply++) {
        arbiter_move move = ARBITER_NO_MOVE;
        int32_t status = bot->choose_move(self, &turn, &move);
        std::printf("choose_move: %d, %s\n", static_cast<int>(status), move == moves[0] ? "pass" : "nothing");
    }
    arbiter_event event = arbiter_event();
    bot->played(self, &event);
    bot->stop(self);
    bot->destroy(self);
    return 0;
}
