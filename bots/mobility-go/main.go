// Mobility plays the move after which the opponent has the fewest answers. It shows how a bot in Go is built: the table
// of functions that arbiter lends is called through small functions in C, since cgo cannot call pointers to functions.
package main

/*
#include "arbiter_bot.h"

static arbiter_pos *copy(const arbiter_turn *t) { return t->host->pos_copy(t->host, t->pos); }
static void release(const arbiter_turn *t, arbiter_pos *p) { t->host->pos_free(t->host, p); }
static int32_t apply(const arbiter_turn *t, arbiter_pos *p, arbiter_move m) { return t->host->apply(t->host, p, m); }
static int32_t undo(const arbiter_turn *t, arbiter_pos *p) { return t->host->undo(t->host, p); }
static int32_t outcome(const arbiter_turn *t, arbiter_pos *p) { return t->host->outcome(t->host, p, t->seat); }
static int32_t should_stop(const arbiter_turn *t) { return t->host->should_stop(t->host); }

// Only how many there are: a null buffer asks for the number alone.
static uint32_t replies(const arbiter_turn *t, arbiter_pos *p) { return t->host->legal_moves(t->host, p, NULL, 0); }
*/
import "C"

import "unsafe"

// goChoose is called by choose_move in bot.c, which has the table that arbiter reads.
//
//export goChoose
func goChoose(turn *C.arbiter_turn, answer *C.arbiter_move) C.int32_t {
	moves := unsafe.Slice(turn.moves, int(turn.move_count)) // arbiter's memory: to be read until we return
	position := C.copy(turn)
	if position == nil {
		return C.ARBITER_ERR_MEMORY
	}
	defer C.release(turn, position)

	*answer = moves[0]
	best := ^uint32(0)
	for _, move := range moves {
		if C.should_stop(turn) != C.ARBITER_GO_ON { // time is up: answer with what there is
			break
		}
		C.apply(turn, position, move)
		hasWon := C.outcome(turn, position) == C.ARBITER_WIN
		count := uint32(C.replies(turn, position))
		C.undo(turn, position)
		if hasWon {
			*answer = move
			break
		}
		if count < best {
			best, *answer = count, move
		}
	}
	return C.ARBITER_OK
}

func main() {} // a library has none, but Go wants it
