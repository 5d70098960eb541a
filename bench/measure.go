package main

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"syscall"
	"time"
)

// cpuTime is the user and system time that this process has used. It counts what
// the collector does on other threads, which a wall clock would hide.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// figure is what was measured of one call: nanoseconds of CPU, one value a round.
type figure struct {
	ns     []float64
	allocs float64 // per call
}

func (f *figure) least() float64 {
	if f == nil || len(f.ns) == 0 {
		return math.NaN()
	}
	return slices.Min(f.ns)
}

func (f *figure) median() float64 {
	if f == nil || len(f.ns) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(f.ns))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}

// task is one call to measure.
type task struct {
	call   func()
	figure *figure
	count  int // calls in a batch
}

func newTask(call func()) *task { return &task{call: call, figure: &figure{}} }

// warm finds how many calls fill a batch and counts allocations. It also gives
// pools and branch predictors the time to settle.
func (t *task) warm(batch time.Duration) {
	for n := 1; t.count == 0; n *= 2 {
		start := cpuTime()
		for range n {
			t.call()
		}
		if took := cpuTime() - start; took >= batch/3 {
			t.count = max(1, int(float64(n)*float64(batch)/float64(took)))
		}
	}
	const calls = 200
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range calls {
		t.call()
	}
	runtime.ReadMemStats(&after)
	// A collection in between may empty a pool: such an allocation is not the call's.
	t.figure.allocs = math.Floor(float64(after.Mallocs-before.Mallocs)/calls + 0.05)
}

// round measures each task once, in a new order; every batch starts with a clean
// heap, so that no task pays for another one's garbage.
func round(tasks []*task) {
	rand.Shuffle(len(tasks), func(i, j int) { tasks[i], tasks[j] = tasks[j], tasks[i] })
	for _, t := range tasks {
		runtime.GC()
		start := cpuTime()
		for range t.count {
			t.call()
		}
		t.figure.ns = append(t.figure.ns, float64(cpuTime()-start)/float64(t.count))
	}
}

// geomean is the geometric mean of the values that are numbers.
func geomean(values []float64) float64 {
	sum, n := 0.0, 0
	for _, v := range values {
		if !math.IsNaN(v) {
			sum += math.Log(v)
			n++
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return math.Exp(sum / float64(n))
}
