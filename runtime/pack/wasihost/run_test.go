package wasihost

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/contractkit/contractkit/runtime/pack"
)

// A component starts with nothing, and gets what is listed.
func TestNothingAmbient(t *testing.T) {
	t.Setenv("CONTRACTKIT_TEST_SECRET", "s")
	calls := []call{{Do: "env"}, {Do: "args"}, {Do: "now"}, {Do: "exec"}, {Do: "random"}}
	got := answers(t, hostAt(t, Options{}), ask(t, calls...))
	if got[0] != "" || got[1] != "run" || got[2] != "1" {
		t.Errorf("environment %q, arguments %q, time %q", got[0], got[1], got[2])
	}
	if !refused(got[3]) || !refused(got[4]) {
		t.Errorf("a process: %q, a device: %q", got[3], got[4])
	}
	c := ask(t, call{Do: "env"}, call{Do: "now"}, call{Do: "sleep", N: 20})
	c.env, c.clock = []string{"B", "CONTRACTKIT_TEST_A", "NOT_SET", "B"}, true
	h := hostAt(t, Options{LookupEnv: func(name string) (string, bool) {
		v, found := map[string]string{"B": "2", "CONTRACTKIT_TEST_A": "1", "C": "3"}[name]
		return v, found
	}})
	got = answers(t, h, c)
	if got[0] != "B=2 CONTRACTKIT_TEST_A=1" || got[1] == "1" || got[2] != "ok" {
		t.Errorf("%q", got)
	}
}

func TestLimits(t *testing.T) {
	for name, tt := range map[string]struct {
		calls       []call
		edit        func(*component)
		opt         Options
		termination pack.Termination
		reason      string
	}{
		"within all":     {calls: []call{{Do: "allocate", N: 8}}, termination: pack.Completed},
		"memory":         {calls: []call{{Do: "allocate", N: 100}}, edit: func(c *component) { c.memory = 32 << 20 }, termination: pack.MemoryLimit, reason: "33554432 bytes"},
		"no memory":      {edit: func(c *component) { c.memory = 1 << 16 }, termination: pack.MemoryLimit, reason: "to start"},
		"time":           {calls: []call{{Do: "spin"}}, edit: func(c *component) { c.time = 200 * time.Millisecond }, termination: pack.CPULimit, reason: "200ms"},
		"sleep":          {calls: []call{{Do: "sleep", N: 60_000}}, edit: func(c *component) { c.time, c.clock = 200*time.Millisecond, true }, termination: pack.CPULimit},
		"sleep no clock": {calls: []call{{Do: "sleep", N: 60_000}}, edit: func(c *component) { c.time = 200 * time.Millisecond }, termination: pack.CPULimit},
		"exit":           {calls: []call{{Do: "exit", N: 7}}, termination: pack.Trapped, reason: "exit status 7"},
		"exit 0":         {calls: []call{{Do: "exit"}}, termination: pack.Completed},
		"panic":          {calls: []call{{Do: "panic"}}, termination: pack.Trapped, reason: "exit status 2"},
		"output":         {calls: []call{{Do: "print", N: 2000}}, opt: Options{MaxOutput: 1000}, termination: pack.Trapped, reason: "more than 1000 bytes"},
		"errors":         {calls: []call{{Do: "complain", N: 5000}}, opt: Options{MaxStderr: 1000}, termination: pack.Completed},
		"input":          {calls: []call{{Do: "env", Text: strings.Repeat("x", 100)}}, opt: Options{MaxInput: 100}, termination: pack.Trapped, reason: "input"},
		"module size":    {opt: Options{MaxModule: 1000}, termination: pack.Trapped, reason: "more than 1000 bytes"},
		"no module":      {edit: func(c *component) { c.module = []byte("#!/bin/sh\n") }, termination: pack.Trapped, reason: "no module"},
		"not a command":  {edit: func(c *component) { c.module = []byte("\x00asm\x01\x00\x00\x00") }, termination: pack.Trapped, reason: "no _start"},
		"host import":    {edit: func(c *component) { c.module = importing("env", "system") }, termination: pack.Trapped, reason: `"system" of "env"`},
	} {
		t.Run(name, func(t *testing.T) {
			c := ask(t, tt.calls...)
			if tt.edit != nil {
				tt.edit(&c)
			}
			o := hostAt(t, tt.opt).run(t.Context(), c)
			if o.termination != tt.termination || !strings.Contains(o.reason, tt.reason) {
				t.Errorf("%s: %s, want %s: %s\n%s", o.termination, o.reason, tt.termination, tt.reason, o.stderr)
			}
			if o.peak > c.memory || len(o.stderr) > 64<<10 || tt.opt.MaxStderr > 0 && len(o.stderr) > tt.opt.MaxStderr {
				t.Errorf("it took %d bytes of memory and said %d bytes", o.peak, len(o.stderr))
			}
			if name == "within all" && (o.peak < 8<<20 || o.wall <= 0) {
				t.Errorf("usage: %d bytes, %v", o.peak, o.wall)
			}
		})
	}
}

// importing is a module with one import and nothing else.
func importing(module, name string) []byte {
	text := func(s string) string { return string(rune(len(s))) + s }
	body := "\x01" + text(module) + text(name) + "\x00\x00"
	return []byte("\x00asm\x01\x00\x00\x00" + "\x01\x04\x01\x60\x00\x00" + "\x02" + text(body))
}

// Cancelling gives the grace period and no more.
func TestCancel(t *testing.T) {
	for name, tt := range map[string]struct {
		calls       []call
		grace       time.Duration
		termination pack.Termination
		least, most time.Duration
	}{
		"killed after the grace": {[]call{{Do: "spin"}}, 200 * time.Millisecond, pack.Killed, 250 * time.Millisecond, 50 * time.Second},
		"killed at once":         {[]call{{Do: "spin"}}, 0, pack.Killed, 50 * time.Millisecond, 50 * time.Second},
		"ends by itself":         {[]call{{Do: "sleep", N: 300}}, 60 * time.Second, pack.Cancelled, 250 * time.Millisecond, 50 * time.Second},
	} {
		c := ask(t, tt.calls...)
		c.grace, c.clock = tt.grace, true
		h := hostAt(t, Options{})
		h.run(t.Context(), ask(t)) // compiled from here on
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		start := time.Now()
		o := h.run(ctx, c)
		cancel()
		if took := time.Since(start); o.termination != tt.termination || took < tt.least || took > tt.most {
			t.Errorf("%s: %s after %v: %s", name, o.termination, took, o.reason)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if o := hostAt(t, Options{}).run(ctx, ask(t)); o.termination != pack.Cancelled || o.wall != 0 {
		t.Errorf("a call that was cancelled before: %+v", o)
	}
}

// Calls at the same time share nothing.
func TestConcurrentCalls(t *testing.T) {
	h := hostAt(t, Options{})
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			path := fmt.Sprintf("out/%d.txt", i)
			c := ask(t, call{Do: "write", Path: path, Text: path}, call{Do: "read", Path: path}, call{Do: "read", Path: "out/9.txt"}, call{Do: "mkdir", Path: "out"}, call{Do: "write", Path: path, Text: path}, call{Do: "read", Path: path})
			c.read, c.write = globs(t, "out/**"), globs(t, "out/**")
			if got := answers(t, h, c); got[5] != path {
				t.Errorf("%q", got)
			}
		})
	}
	wg.Wait()
}
