package wasihost

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/contractkit/contractkit/runtime/pack"
)

const wasmHeader = "\x00asm\x01\x00\x00\x00"

// Modules of a few bytes that ask for gigabytes get none.
func TestHostileModules(t *testing.T) {
	const huge = "\xff\xff\xff\xff\x0f"
	oneType := "\x01\x04\x01\x60\x00\x00"
	oneFunc := "\x03\x02\x01\x00"
	start := "\x07\x0a\x01\x06_start\x00\x00"
	for name, tt := range map[string]struct{ module, words string }{
		"types":              {"\x01\x05" + huge, "malformed"},
		"parameters":         {"\x01\x07\x01\x60" + huge, "malformed"},
		"imports":            {"\x02\x05" + huge, "malformed"},
		"import name":        {"\x02\x06\x01" + huge, "malformed"},
		"imported memory":    {"\x02\x07\x01\x01a\x01b\x02\x00", "malformed"},
		"functions":          {"\x03\x05" + huge, "malformed"},
		"tables":             {"\x04\x05" + huge, "malformed"},
		"many tables":        {"\x04\x10\x05" + strings.Repeat("\x70\x00\x01", 5), "5 tables"},
		"table of billions":  {"\x04\x08\x01\x70\x00" + huge, "entries"},
		"memories":           {"\x05\x05" + huge, "malformed"},
		"globals":            {"\x06\x05" + huge, "malformed"},
		"exports":            {"\x07\x05" + huge, "malformed"},
		"export name":        {"\x07\x06\x01" + huge, "malformed"},
		"elements":           {"\x09\x05" + huge, "malformed"},
		"element list":       {"\x09\x0a\x01\x00\x41\x00\x0b" + huge, "malformed"},
		"codes":              {"\x0a\x05" + huge, "malformed"},
		"code size":          {"\x0a\x06\x01" + huge, "malformed"},
		"locals":             {oneType + oneFunc + start + "\x0a\x0b\x01\x09\x01" + huge + "\x7f\x0b\x0b", "locals"},
		"locals in parts":    {oneType + oneFunc + start + "\x0a\x0c\x01\x0a\x02\xd0\x86\x03\x7f\xd0\x86\x03\x7e\x0b", "locals"},
		"data":               {"\x0b\x05" + huge, "malformed"},
		"data size":          {"\x0b\x0a\x01\x00\x41\x00\x0b" + huge, "malformed"},
		"tags":               {"\x0d\x01\x00", "malformed"},
		"section size":       {"\x01" + huge, "malformed"},
		"names":              {"\x00" + huge, "malformed"},
		"number without end": {"\x01\x06\xff\xff\xff\xff\xff\x0f", "malformed"},
		"memory of all":      {oneType + oneFunc + "\x05\x05\x01\x00\x80\x80\x04" + start + "\x0a\x04\x01\x02\x00\x0b", "memory"},
	} {
		c := ask(t)
		c.module = []byte(wasmHeader + tt.module)
		begun := time.Now()
		o := hostAt(t, Options{}).run(t.Context(), c)
		if o.termination != pack.Trapped && o.termination != pack.MemoryLimit || !strings.Contains(o.reason, tt.words) || time.Since(begun) > 5*time.Second {
			t.Errorf("%s: %s after %v: %s", name, o.termination, time.Since(begun), o.reason)
		}
	}
}

// A table without a bound gets one: a component that lets it grow for ever fails at it.
func TestTableIsBounded(t *testing.T) {
	// loop: table.grow by 65,536; when it fails, exit by unreachable; else again.
	body := "\x00\x03\x40\xd0\x70\x41\x80\x80\x04\xfc\x0f\x00\x41\x7f\x46\x04\x40\x00\x0b\x0c\x00\x0b\x0b"
	code := string([]byte{byte(len(body))}) + body
	module := wasmHeader + "\x01\x04\x01\x60\x00\x00" + "\x03\x02\x01\x00" + "\x04\x04\x01\x70\x00\x00" + "\x07\x0a\x01\x06_start\x00\x00" +
		"\x0a" + string([]byte{byte(len(code) + 1)}) + "\x01" + code
	c := ask(t)
	c.module = []byte(module)
	if o := hostAt(t, Options{}).run(t.Context(), c); o.termination != pack.Trapped || !strings.Contains(o.reason, "unreachable") {
		t.Errorf("%s: %s", o.termination, o.reason)
	}
}

// What comes out of the screen has no custom sections and comes through it unchanged.
func TestScreen(t *testing.T) {
	once, err := screen(module(t))
	if err != nil {
		t.Fatal(err)
	}
	twice, err := screen(once)
	if err != nil || !bytes.Equal(once, twice) || len(once) > len(module(t))+64 {
		t.Errorf("%v; %d bytes, then %d", err, len(once), len(twice))
	}
}

func FuzzScreen(f *testing.F) {
	f.Add([]byte(wasmHeader + "\x01\x04\x01\x60\x00\x00\x04\x04\x01\x70\x00\x00\x09\x07\x01\x00\x41\x00\x0b\x01\x00"))
	f.Add([]byte(wasmHeader + "\x0a\x0b\x01\x09\x01\xff\xff\xff\xff\x0f\x7f\x0b\x0b"))
	f.Add([]byte(wasmHeader + "\x00\x02\x01a\x0b\x07\x01\x02\x00\x41\x00\x0b\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		once, err := screen(data)
		if err != nil {
			return
		}
		twice, err := screen(once)
		if err != nil || !bytes.Equal(once, twice) {
			t.Errorf("%v: %x, then %x", err, once, twice)
		}
		// The runtime must not ask for much more than the module has bytes.
		c := component{module: data, read: func(string) bool { return false }, write: func(string) bool { return false }, memory: 1 << 20, time: 50 * time.Millisecond}
		shared().run(t.Context(), c)
	})
}
