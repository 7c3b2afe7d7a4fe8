/*
 * Reads its opening book from a payload: arbiter ./book.so+book.txt ./other.so --game othello
 *
 * The book is one line of moves as people write them, such as "f5 d6 c3". As long as the game follows
 * it the bot plays from it, and then the first move there is.
 */
#include "arbiter_bot.h"

#include <string.h>

static int32_t choose(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    const arbiter_host *h = turn->host;
    const arbiter_payload_v1 *book = (const arbiter_payload_v1 *)h->extension(h, ARBITER_PAYLOAD_V1);
    const char *at = book ? (const char *)book->data : "";
    const char *end = book ? at + book->size : at;
    uint32_t number = 0;
    (void)self;
    *move = turn->moves[0];
    while (at < end) {
        char word[32] = "";
        size_t length = 0;
        while (at < end && (*at == ' ' || *at == '\n'))
            at++;
        for (; at < end && *at != ' ' && *at != '\n'; at++)
            if (length + 1 < sizeof word)
                word[length++] = *at;
        if (number == turn->ply) {
            arbiter_move listed = h->move_parse(h, turn->pos, word);
            if (listed != ARBITER_NO_MOVE)
                *move = listed;
            break;
        }
        number++;
    }
    return ARBITER_OK;
}

ARBITER_BOT(.name = "Book", .about = "Plays from its payload, then the first move", .choose_move = choose)
