// Looks two moves ahead in any game: it wins where it can, does not let the opponent win next, and otherwise keeps as
// many moves for itself as it can. For learners of the C++ side of the interface.
#include "arbiter_bot.hpp"

#include <vector>

namespace {

class Lookahead : public arbiter::Bot {
public:
    static const char *version() { return "1.0"; }
    static const char *author() { return "arbiter"; }
    static const char *about() { return "Looks two moves ahead in any game"; }
    // Nothing that changes lies outside the objects: the referee may let several play at once.
    static uint32_t flags() { return ARBITER_BOT_REENTRANT; }

    // The referee asks. `turn` and everything it points to is ours to read until we return; `host`, a member of the
    // base class, holds the services that are lent to us.
    arbiter_move choose_move(const arbiter_turn &turn) override
    {
        // Moves are played on a copy. It is freed when it goes out of scope, also when something throws.
        arbiter::Position position(host, turn.pos);
        std::vector<arbiter_root_move> values;
        arbiter_root_move best = {turn.moves[0], INT32_MIN, ARBITER_EXACT};
        for (uint32_t i = 0; i < turn.move_count; i++) {
            if (host->should_stop(host)) // asked at every move: it costs a nanosecond
                break;
            arbiter_root_move tried = {turn.moves[i], value(position, turn.moves[i], turn.seat), ARBITER_EXACT};
            values.push_back(tried);
            if (tried.score > best.score)
                best = tried;
        }
        // What people see who look into the bot: `DEBUG=1 arbiter ask`.
        arbiter::report_root_moves(host, 2, values.data(), static_cast<uint32_t>(values.size()));
        return best.move;
    }

private:
    // What a move is worth to seat `us`: 100000 is a sure win, 100 about one piece.
    int32_t value(arbiter::Position &position, arbiter_move move, int32_t us) const
    {
        position.apply(move);
        int32_t score = settled(position, us);
        if (score == 0 && position.outcome(us) == ARBITER_RUNNING)
            score = after_the_worst_reply(position, us);
        position.undo(); // the position is as it was: ready for the next move
        return score;
    }

    // Of all replies the one that is worst for us.
    int32_t after_the_worst_reply(arbiter::Position &position, int32_t us) const
    {
        arbiter_move replies[ARBITER_MAX_MOVES];
        uint32_t count = position.legal_moves(replies);
        int32_t worst = INT32_MAX;
        for (uint32_t i = 0; i < count; i++) {
            position.apply(replies[i]);
            int32_t score = settled(position, us);
            if (score == 0 && position.to_move() == us) {
                arbiter_move ours[ARBITER_MAX_MOVES];
                score = static_cast<int32_t>(position.legal_moves(ours));
            }
            position.undo();
            if (score < worst)
                worst = score;
        }
        return worst;
    }

    // What a position is worth in which the game is over; 0 where it goes on, or is drawn.
    static int32_t settled(const arbiter::Position &position, int32_t us)
    {
        switch (position.outcome(us)) {
        case ARBITER_WIN: return 100000;
        case ARBITER_LOSS: return -100000;
        default: return 0;
        }
    }
};

} // namespace

ARBITER_BOT_CLASS(Lookahead, "Lookahead")
