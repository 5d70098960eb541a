package migrate

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/contractkit/contractkit/runtime/pack"
)

const before = `{"pack_id": "p", "version": "1.0.0", "state_namespaces": ["p:b", "p:a"], "event_kinds": ["made"],
	"config": {"a": {"max": 1.50, "huge": 123456789012345678901234567890}, "mode": "x", "d": 1e400},
	"tools": ["p:old", "p:new"], "deprecated_tools": {}}`

func state(t testing.TB) *State {
	s, err := ParseState([]byte(before))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func packOf(version string, steps ...Step) Pack {
	return Pack{ID: "p", Version: version, Migrations: []Migration{{From: "^1.0.0", To: version, Steps: steps}}}
}

func TestSteps(t *testing.T) {
	config := func(from, to string) Step { return Step{Kind: RenameConfigKey, From: from, To: to} }
	for _, tt := range []struct {
		step    Step
		outcome Outcome
		config  string // "" when it must stay
	}{
		{config("a.max", "a.most"), Applied, `{"a":{"huge":123456789012345678901234567890,"most":1.50},"d":1e400,"mode":"x"}`},
		{config("a.huge", "b.c.d"), Applied, `{"a":{"max":1.50},"b":{"c":{"d":123456789012345678901234567890}},"d":1e400,"mode":"x"}`},
		{config("d", "a.d"), Applied, `{"a":{"d":1e400,"huge":123456789012345678901234567890,"max":1.50},"mode":"x"}`},
		{config("a", "z"), Applied, `{"d":1e400,"mode":"x","z":{"huge":123456789012345678901234567890,"max":1.50}}`},
		{config("mode", "a"), Conflict, ""},
		{config("mode", "a.max.x"), Conflict, ""},
		{config("mode", "mode.x"), Conflict, ""},
		{config("a", "a.b"), Conflict, ""},
		{config("a.max", "a"), Conflict, ""},
		{config("mode", "mode"), Already, ""},
		{config("no", "mode"), Already, ""},
		{config("no", "no"), Absent, ""},
		{config("mode.x", "no"), Absent, ""},
		{Step{Kind: RenameStateNamespace, From: "p:a", To: "p:c"}, Applied, ""},
		{Step{Kind: RenameStateNamespace, From: "p:a", To: "p:b"}, Conflict, ""},
		{Step{Kind: RenameStateNamespace, From: "p:z", To: "p:b"}, Already, ""},
		{Step{Kind: RenameStateNamespace, From: "p:a", To: "p:a"}, Already, ""},
		{Step{Kind: RenameEventKind, From: "x", To: "y"}, Absent, ""},
		{Step{Kind: DeprecateTool, Name: "p:old", Replacement: "p:new"}, Applied, ""},
		{Step{Kind: DeprecateTool, Name: "p:none"}, Absent, ""},
	} {
		s := state(t)
		old := string(s.Config())
		next, r, err := Plan(packOf("2.0.0", tt.step), s)
		if err != nil {
			t.Errorf("%+v: %v", tt.step, err)
			continue
		}
		if got := r.Hops[0].Steps[0].Outcome; got != tt.outcome {
			t.Errorf("%+v: %s, want %s", tt.step, got, tt.outcome)
		}
		if tt.config == "" {
			tt.config = old
		}
		if got := string(next.Config()); got != tt.config {
			t.Errorf("%+v: config %s, want %s", tt.step, got, tt.config)
		}
		if string(s.Config()) != old || s.Version != "1.0.0" {
			t.Errorf("%+v: Plan has changed its input", tt.step)
		}
		if _, i, found := r.Conflict(); found != (tt.outcome == Conflict) || i != 0 {
			t.Errorf("%+v: Conflict finds %v, %d", tt.step, found, i)
		}
	}
}

func TestCheck(t *testing.T) {
	ok := []Step{{Kind: RenameEventKind, From: "a", To: "b"}}
	for name, tt := range map[string]struct {
		p    Pack
		want string
	}{
		"fine":             {packOf("2.0.0", ok...), ""},
		"no steps":         {packOf("2.0.0"), "no steps"},
		"run_script":       {packOf("2.0.0", Step{Kind: "run_script", Name: "x"}), "none runs code"},
		"no kind":          {packOf("2.0.0", Step{From: "a", To: "b"}), "none runs code"},
		"kind in capitals": {packOf("2.0.0", Step{Kind: "RENAME_EVENT_KIND", From: "a", To: "b"}), "none runs code"},
		"no target":        {packOf("2.0.0", Step{Kind: RenameEventKind, From: "a"}), "needs from and to"},
		"no tool":          {packOf("2.0.0", Step{Kind: DeprecateTool}), "needs a name"},
		"mixed":            {packOf("2.0.0", Step{Kind: DeprecateTool, Name: "a", From: "b"}), "neither"},
		"empty name":       {packOf("2.0.0", Step{Kind: RenameConfigKey, From: "a..b", To: "c"}), "no path"},
		"deep":             {packOf("2.0.0", Step{Kind: RenameConfigKey, From: strings.Repeat("a.", 70) + "b", To: "c"}), "no path"},
		"beyond":           {Pack{"p", "1.5.0", []Migration{{"^1.0.0", "2.0.0", "", ok}}}, "beyond"},
		"beyond its own":   {Pack{"p", "2.0.0-rc.1", []Migration{{"^1.0.0", "2.0.0", "", ok}}}, "beyond"},
		"to is a range":    {Pack{"p", "2.0.0", []Migration{{"^1.0.0", "^1.0.0", "", ok}}}, "not a semantic version"},
		"from is none":     {Pack{"p", "2.0.0", []Migration{{"soon", "2.0.0", "", ok}}}, "not a version range"},
		"no version":       {Pack{"p", "2", nil}, "not a semantic version"},
		"no id":            {Pack{"", "2.0.0", nil}, "no id"},
		"many":             {Pack{"p", "2.0.0", make([]Migration, maxMigrations+1)}, "at most"},
	} {
		err := tt.p.Check()
		if tt.want == "" != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", name, err)
		}
		if _, _, planErr := Plan(tt.p, state(t)); (planErr == nil) != (err == nil) {
			t.Errorf("%s: Plan says %v", name, planErr)
		}
	}
}

func TestParseState(t *testing.T) {
	good := state(t)
	again, err := ParseState(good.JSON())
	if err != nil || again.Digest() != good.Digest() || !bytes.Equal(again.JSON(), good.JSON()) {
		t.Errorf("%v:\n%s\n%s", err, good.JSON(), again.JSON())
	}
	for _, text := range []string{"1.50", "123456789012345678901234567890", "1e400"} {
		if !bytes.Contains(good.JSON(), []byte(text)) {
			t.Errorf("the number %s is lost", text)
		}
	}
	for name, edit := range map[string][2]string{
		"unknown member":     {`"mode"`, `"mode": 1, "mode"`},
		"no tools":           {`"tools": ["p:old", "p:new"],`, ``},
		"unknown top":        {`"tools"`, `"script": "x", "tools"`},
		"config a list":      {`"config": {`, `"config": [], "x": {`},
		"names twice":        {`"p:b", "p:a"`, `"p:a", "p:a"`},
		"name empty":         {`"made"`, `""`},
		"name a number":      {`"made"`, `1`},
		"version a number":   {`"1.0.0"`, `1`},
		"mark not closed":    {`"deprecated_tools": {}`, `"deprecated_tools": {"x": {"since": "1.0.0", "replacement": null, "more": 1}}`},
		"mark without since": {`"deprecated_tools": {}`, `"deprecated_tools": {"x": {"replacement": null}}`},
		"mark without":       {`"deprecated_tools": {}`, `"deprecated_tools": {"x": {"since": "1.0.0"}}`},
		"cut short":          {`"deprecated_tools": {}}`, ``},
	} {
		text := strings.Replace(before, edit[0], edit[1], 1)
		if text == before {
			t.Errorf("%s: nothing is edited", name)
		}
		if s, err := ParseState([]byte(text)); err == nil {
			t.Errorf("%s: read as %s", name, s.JSON())
		}
	}
	if _, err := ParseState(make([]byte, MaxState+1)); err == nil {
		t.Error("a huge state is read")
	}
}

// A dry run tells the same and leaves every byte and time alone.
func TestDryRun(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir, state(t))
	file := filepath.Join(dir, "p.state.json")
	text, _ := os.ReadFile(file)
	long := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(file, long, long); err != nil {
		t.Fatal(err)
	}
	p := packOf("2.0.0", Step{Kind: RenameEventKind, From: "made", To: "created"})
	dry, err := Run(t.Context(), store, p, Options{DryRun: true})
	if err != nil || !dry.DryRun || dry.Outcome != RunApplied {
		t.Fatalf("%+v, %v", dry, err)
	}
	info, _ := os.Stat(file)
	if now, _ := os.ReadFile(file); !bytes.Equal(now, text) || !info.ModTime().Equal(long) {
		t.Error("the state was touched")
	}
	if list, _ := os.ReadDir(dir); len(list) != 2 { // the state and the lock of Install
		t.Errorf("%v", list)
	}
	wet, err := Run(t.Context(), store, p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	dry.DryRun = false
	if fmt.Sprintf("%+v", dry) != fmt.Sprintf("%+v", wet) {
		t.Errorf("the dry run said\n%+v\nand the run did\n%+v", dry, wet)
	}
}

// A second run has nothing to do; a refusal is told once.
func TestAgain(t *testing.T) {
	store := open(t, t.TempDir(), state(t))
	p := packOf("2.0.0", Step{Kind: RenameEventKind, From: "made", To: "created"})
	first, err := Run(t.Context(), store, p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		again, err := Run(t.Context(), store, p, Options{})
		if err != nil || again.Outcome != RunNothingToDo || again.StateBefore != first.StateAfter || again.StateAfter != first.StateAfter {
			t.Fatalf("%+v, %v", again, err)
		}
	}
	down := packOf("1.5.0", Step{Kind: RenameEventKind, From: "made", To: "created"})
	for range 2 {
		r, err := Run(t.Context(), store, down, Options{})
		if err != nil || r.Outcome != RunRefused || r.Code != CodeDowngrade || r.ToVersion != "2.0.0" {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	list, err := store.Receipts(t.Context(), "p")
	if err != nil || len(list) != 2 || list[0].Outcome != RunApplied || list[1].Outcome != RunRefused {
		t.Errorf("%v, %v", list, err)
	}
}

func TestStoreRefuses(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir, state(t))
	p := packOf("2.0.0", Step{Kind: RenameEventKind, From: "made", To: "created"})
	for _, id := range []string{"../p", "P", "", "a/b", "p.state", strings.Repeat("a", 300)} {
		p := p
		p.ID = id
		if _, err := Run(t.Context(), store, p, Options{}); err == nil {
			t.Errorf("%q is taken for an id", id)
		}
	}
	other := p
	other.ID = "other"
	if _, err := Run(t.Context(), store, other, Options{}); !errors.Is(err, ErrNoState) {
		t.Errorf("%v", err)
	}
	os.WriteFile(filepath.Join(dir, "other.state.json"), []byte(before), 0o644)
	if _, err := Run(t.Context(), store, other, Options{}); err == nil || !strings.Contains(err.Error(), `"p"`) {
		t.Errorf("a state of another pack: %v", err)
	}
	next, r, err := Plan(p, state(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Commit(t.Context(), next, r); err != nil {
		t.Fatal(err)
	}
	if err := store.Commit(t.Context(), next, r); !errors.Is(err, ErrChanged) {
		t.Errorf("the same plan twice: %v", err)
	}
	if err := os.Rename(filepath.Join(dir, "p.state.json"), filepath.Join(dir, "real")); err != nil {
		t.Fatal(err)
	}
	os.Symlink("real", filepath.Join(dir, "p.state.json"))
	if _, err := store.Load(t.Context(), "p"); err == nil {
		t.Error("a link is followed")
	}
}

// Many runs at once: one applies, the others find nothing to do.
func TestAtOnce(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, state(t))
	p := packOf("2.0.0", Step{Kind: RenameEventKind, From: "made", To: "created"})
	var wg sync.WaitGroup
	var mu sync.Mutex
	counts := map[string]int{}
	for range 16 {
		wg.Go(func() {
			store, err := OpenFileStore(dir)
			if err != nil {
				t.Error(err)
				return
			}
			defer store.Close()
			r, err := Run(t.Context(), store, p, Options{})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case errors.Is(err, ErrChanged):
				counts["changed"]++
			case err != nil:
				t.Error(err)
			default:
				counts[r.Outcome]++
			}
		})
	}
	wg.Wait()
	list, err := open(t, dir, nil).Receipts(t.Context(), "p")
	if counts[RunApplied] != 1 || err != nil || len(list) != 1 {
		t.Errorf("%v; %d receipts, %v", counts, len(list), err)
	}
}

const killEnv = "CONTRACTKIT_MIGRATE_KILL"

// TestKilledChild is the process that TestKill kills.
func TestKilledChild(t *testing.T) {
	where, dir, found := strings.Cut(os.Getenv(killEnv), "|")
	if !found {
		t.Skip("it is a part of TestKill")
	}
	checkpoint = func(name string) {
		if name == where {
			me, _ := os.FindProcess(os.Getpid())
			_ = me.Kill()
			select {}
		}
	}
	store, err := OpenFileStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(t.Context(), store, packOf("2.0.0", Step{Kind: RenameEventKind, From: "made", To: "created"}), Options{})
	t.Fatalf("%s was never reached (%v)", where, err)
}

// Wherever a run is killed, the state is the old one or the new one, the next run
// ends where an undisturbed one does, and there is one receipt.
func TestKill(t *testing.T) {
	p := packOf("2.0.0", Step{Kind: RenameEventKind, From: "made", To: "created"})
	want, receipt, err := Plan(p, state(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, where := range []string{"begin", "temporary p.pending.json", "pending", "temporary p.state.json", "state", "half a receipt", "receipt"} {
		dir := t.TempDir()
		store := open(t, dir, state(t))
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledChild$")
		cmd.Env = append(os.Environ(), killEnv+"="+where+"|"+dir)
		if out, err := cmd.CombinedOutput(); err == nil || strings.Contains(string(out), "never reached") {
			t.Errorf("%s: %v\n%s", where, err, out)
			continue
		}
		s, err := store.Load(t.Context(), "p")
		if err != nil || s.Digest() != receipt.StateBefore && s.Digest() != receipt.StateAfter {
			t.Errorf("%s: %v; the state is neither old nor new", where, err)
			continue
		}
		r, err := Run(t.Context(), store, p, Options{})
		if err != nil || r.StateAfter != want.Digest() {
			t.Errorf("%s: the next run: %+v, %v", where, r, err)
		}
		list, err := store.Receipts(t.Context(), "p")
		if err != nil || len(list) != 1 || list[0].StateAfter != receipt.StateAfter || list[0].Outcome != RunApplied {
			t.Errorf("%s: receipts %+v, %v", where, list, err)
		}
		names, _ := filepath.Glob(filepath.Join(dir, "*"))
		for _, name := range names {
			if strings.HasSuffix(name, ".pending.json") {
				t.Errorf("%s: %s is left", where, name)
			}
		}
	}
}

func TestPackOf(t *testing.T) {
	parsed := pack.ParseManifest("manifest.yaml", []byte(`id: p
version: 2.0.0
contract_version: 2
publisher: {id: acme, name: Acme}
compatibility: {kernel: ^6.0.0, host: ^6.0.0}
task_types: [t]
migrations:
  - from: ^1.0.0
    to: 2.0.0
    description: d
    steps:
      - {kind: rename_state_namespace, from: p:a, to: p:c}
      - {kind: rename_event_kind, from: made, to: created}
      - {kind: rename_config_key, from: mode, to: a.mode}
      - {kind: deprecate_tool, name: p:old, replacement: p:new}
      - {kind: deprecate_tool, name: p:new}
`))
	if !parsed.Accepted() {
		t.Fatal(parsed.Diagnostics)
	}
	p, err := PackOf(parsed.Manifest())
	if err != nil {
		t.Fatal(err)
	}
	next, r, err := Plan(p, state(t))
	if err != nil || r.Outcome != RunApplied || len(r.Hops) != 1 || len(r.Hops[0].Steps) != 5 {
		t.Fatalf("%+v, %v", r, err)
	}
	for i, s := range r.Hops[0].Steps {
		if s.Outcome != Applied {
			t.Errorf("step %d: %s", i, s.Outcome)
		}
	}
	if d := next.DeprecatedTools["p:old"]; d != (Deprecation{"p:new", "2.0.0"}) {
		t.Errorf("%+v", d)
	}
	old := pack.ParseManifest("manifest.yaml", []byte("id: p\nversion: 1.0.0\ntask_types: [t]\ntools: []\npolicies: []\n"))
	if _, err := PackOf(old.Manifest()); err == nil {
		t.Error("a contract v1 manifest has migrations")
	}
}

// Whatever document is read prints to one that reads the same, and planning neither
// fails nor changes it.
func FuzzState(f *testing.F) {
	f.Add([]byte(before), "mode", "a.b.c")
	f.Add([]byte(`{"pack_id":"p","version":"1.0.0","state_namespaces":[],"event_kinds":[],"config":{"":{"a":[-0]}},"tools":[],"deprecated_tools":{"x":{"replacement":null,"since":"1"}}}`), "a", "a.a")
	f.Fuzz(func(t *testing.T, data []byte, from, to string) {
		s, err := ParseState(data)
		if err != nil {
			return
		}
		again, err := ParseState(s.JSON())
		if err != nil || again.Digest() != s.Digest() {
			t.Fatalf("%v\n%s", err, s.JSON())
		}
		p := packOf("2.0.0", Step{Kind: RenameConfigKey, From: from, To: to})
		p.ID = s.PackID
		if p.Check() != nil || !isVersion(s.Version) {
			return
		}
		next, r, err := Plan(p, s)
		if err != nil || s.Digest() != r.StateBefore || next.Digest() != r.StateAfter || s.Digest() != again.Digest() {
			t.Fatalf("%v: %+v", err, r)
		}
	})
}
