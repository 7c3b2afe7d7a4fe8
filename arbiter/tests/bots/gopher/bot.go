// A bot in Go: lets goroutines work and garbage be collected, then plays the first legal move.
package main

/*
#include "arbiter_bot.h"

static arbiter_move first_move(const arbiter_turn *turn)
{
    return turn->moves[0];
}
*/
import "C"

import (
	"fmt"
	"math/rand"
	"os"
	"runtime"
	"sync"
	"time"
	"unsafe"
)

//export goChoose
func goChoose(_ unsafe.Pointer, turn *C.arbiter_turn, move *C.arbiter_move) C.int32_t {
	var workers sync.WaitGroup
	sums := make([]int, 8)
	for i := range sums {
		workers.Add(1)
		go func(i int) {
			defer workers.Done()
			runtime.LockOSThread()
			for _, b := range make([]byte, 1<<20) {
				sums[i] += int(b) + rand.Intn(2)
			}
			time.Sleep(time.Millisecond)
		}(i)
	}
	workers.Wait()
	runtime.GC()
	fmt.Fprintln(os.Stderr, "thought until", time.Now())
	*move = C.first_move(turn)
	return 0
}

func main() {}
