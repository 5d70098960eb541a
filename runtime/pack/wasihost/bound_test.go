package wasihost

import (
	"bytes"
	"encoding/binary"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/contractkit/contractkit/runtime/pack"
)

func leb(n uint64) []byte { return binary.AppendUvarint(nil, n) }

func cat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func section(id byte, body ...[]byte) []byte {
	all := cat(body...)
	return cat([]byte{id}, leb(uint64(len(all))), all)
}

const magic = "\x00asm\x01\x00\x00\x00"

// command is a module whose _start is code, with the tables of a section.
func command(tables []byte, code ...byte) []byte {
	body := append([]byte{0}, code...)
	return cat([]byte(magic), section(1, []byte{1, 0x60, 0, 0}), section(3, []byte{1, 0}), tables,
		section(7, []byte{1, 6}, []byte("_start"), []byte{0, 0}), section(10, []byte{1}, leb(uint64(len(body))), body))
}

// A module cannot make the host take room for more than its own bytes account for:
// most of these would end the process, which no recover stops.
func TestModulesAreBounded(t *testing.T) {
	many := leb(math.MaxUint32)
	one := []byte{1}
	for name, tt := range map[string]struct {
		module []byte
		reason string
	}{
		"types":            {section(1, many), "malformed"},
		"parameters":       {section(1, one, []byte{0x60}, many), "malformed"},
		"results":          {section(1, one, []byte{0x60, 0}, many), "malformed"},
		"imports":          {section(2, many), "malformed"},
		"name of import":   {section(2, one, many), "malformed"},
		"functions":        {section(3, many), "malformed"},
		"tables":           {section(4, many), "malformed"},
		"entries":          {section(4, one, []byte{0x70, 0}, leb(1<<27)), "more than 1048576 entries of tables"},
		"entries together": {section(4, []byte{2, 0x70, 0}, leb(1<<20), []byte{0x6f, 0}, leb(1)), "more than 1048576 entries of tables"},
		"17 tables":        {section(4, []byte{17}, bytes.Repeat([]byte{0x70, 0, 0}, 17)), "more than 16 tables"},
		"imported table":   {section(2, one, []byte{1, 'a', 1, 'b', 1, 0x70, 0, 0}), "something else than functions"},
		"globals":          {section(6, many), "malformed"},
		"exports":          {section(7, many), "malformed"},
		"name of export":   {section(7, one, many), "malformed"},
		"segments":         {section(9, many), "malformed"},
		"elements":         {section(9, one, []byte{0, 0x41, 0, 0x0b}, many), "malformed"},
		"expressions":      {section(9, one, []byte{5, 0x70}, many), "malformed"},
		"code":             {section(10, many), "malformed"},
		"size of code":     {section(10, one, many), "malformed"},
		"locals":           {section(10, one, []byte{8, 1}, many, []byte{0x7f, 0x0b}), "more than 50000 locals"},
		"groups of locals": {section(10, one, []byte{6}, many, []byte{0x0b}), "malformed"},
		"data":             {section(11, many), "malformed"},
		"bytes of data":    {section(11, one, []byte{1}, many), "malformed"},
		"size of section":  {cat([]byte{1}, many), "malformed"},
		"long number":      {[]byte{1, 0x80, 0x80, 0x80, 0x80, 0x80, 0}, "malformed"},
		"names":            {section(0, []byte{4}, []byte("name"), []byte{1, 5}, many), "no _start"},
	} {
		t.Run(name, func(t *testing.T) {
			c := component{module: cat([]byte(magic), tt.module), memory: 1 << 20, time: time.Second}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			o := hostAt(t, Options{}).run(t.Context(), c)
			runtime.ReadMemStats(&after)
			if o.termination != pack.Trapped || !strings.Contains(o.reason, tt.reason) {
				t.Errorf("%s: %s, want %s", o.termination, o.reason, tt.reason)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
				t.Errorf("it took %d bytes", took)
			}
		})
	}
}

// Tables are no linear memory, so that growing has a bound of its own.
func TestTablesDoNotGrow(t *testing.T) {
	grow := func(by uint32) []byte { // traps unless the table grew
		number := cat([]byte{0x41}, signed(by))
		return cat([]byte{0xd0, 0x70}, number, []byte{0xfc, 0x0f, 0, 0x41, 0x7f, 0x46, 0x04, 0x40, 0x00, 0x0b, 0x0b})
	}
	for name, tt := range map[string]struct {
		table []byte
		by    uint32
		want  pack.Termination
	}{
		"in its room":     {[]byte{1, 0x70, 0, 1}, tableRoom - 1, pack.Completed},
		"beyond its room": {[]byte{1, 0x70, 0, 1}, tableRoom, pack.Trapped},
		"a lot":           {[]byte{1, 0x70, 0, 1}, 1 << 25, pack.Trapped},
		"own maximum":     {[]byte{1, 0x70, 1, 1, 3}, 3, pack.Trapped},
		"large maximum":   {cat([]byte{1, 0x70, 1, 1}, leb(1<<27)), 1 << 25, pack.Trapped},
	} {
		t.Run(name, func(t *testing.T) {
			c := component{module: command(section(4, tt.table), grow(tt.by)...), memory: 1 << 20, time: 10 * time.Second}
			if o := hostAt(t, Options{}).run(t.Context(), c); o.termination != tt.want {
				t.Errorf("%s: %s", o.termination, o.reason)
			}
		})
	}
}

// signed is a positive number as instructions hold it.
func signed(n uint32) []byte {
	b := leb(uint64(n))
	if b[len(b)-1]&0x40 != 0 {
		b[len(b)-1] |= 0x80
		b = append(b, 0)
	}
	return b
}

// What is within the bounds is left as it is, but for names and tables.
func TestBoundKeepsTheRest(t *testing.T) {
	names := section(0, []byte{4}, []byte("name"))
	module := command(section(4, []byte{1, 0x70, 1, 2, 3}), 0x0b)
	got, contrived, err := bound(cat(module, names))
	if err != nil || contrived || !bytes.Equal(got, module) {
		t.Errorf("%x, %v\nwant %x", got, err, module)
	}
}

// A function of very many blocks is ready soon, runs, and keeps to its time.
func TestBlocksByTheThousand(t *testing.T) {
	blocks := bytes.Repeat([]byte{0x41, 0, 0x04, 0x40, 0x0b}, 20_000)
	for name, tt := range map[string]struct {
		end  []byte
		want pack.Termination
	}{
		"ends":  {[]byte{0x0b}, pack.Completed},
		"loops": {[]byte{0x03, 0x40, 0x0c, 0, 0x0b, 0x0b}, pack.CPULimit},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			c := component{module: command(nil, cat(blocks, tt.end)...), memory: 1 << 20, time: 500 * time.Millisecond}
			if o := hostAt(t, Options{}).run(t.Context(), c); o.termination != tt.want {
				t.Errorf("%s: %s", o.termination, o.reason)
			}
			if took := time.Since(start); took > 80*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// What a compiler makes of Go is not contrived.
func TestGoIsCompiled(t *testing.T) {
	if _, contrived, err := bound(module(t)); err != nil || contrived {
		t.Errorf("contrived %v, %v", contrived, err)
	}
}

func FuzzBound(f *testing.F) {
	f.Add(command(section(4, []byte{1, 0x70, 0, 1}), 0x0b))
	f.Add(cat([]byte(magic), section(9, []byte{2, 0, 0x41, 0, 0x0b, 1, 0, 5, 0x70, 1, 0xd2, 0, 0x0b}), section(11, []byte{1, 1, 1, 0})))
	f.Fuzz(func(t *testing.T, module []byte) {
		once, _, err := bound(module)
		if err != nil {
			return
		}
		if twice, _, err := bound(once); err != nil || !bytes.Equal(once, twice) {
			t.Errorf("%x, %v\nonce %x", twice, err, once)
		}
	})
}
