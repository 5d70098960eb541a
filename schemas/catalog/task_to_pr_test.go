package catalog_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const taskToPRID = "hasna.task_to_pr_projection.v1"

// refRoles is what each role stands for: its one authority, a star if its
// references must be redacted, and the slots that hold such references.
var refRoles = []string{
	"work_run codewith workRunRef Handoff.stoppedWorkRunRef Recovery.priorWorkRunRef",
	"root_request todos rootRequestRef",
	"pr_group todos prGroupRef",
	"leaf_task todos leafTaskRef",
	"attempt todos Attempt.ref Handoff.previousAttemptRef Handoff.nextAttemptRef Recovery.priorAttemptRef Cancellation.cancelledAttemptRef",
	"writer_generation todos Attempt.writerGenerationRef Attempt.admissionWriterGenerationRef Handoff.previousWriterGenerationRef " +
		"Handoff.nextWriterGenerationRef Recovery.priorWriterGenerationRef Recovery.successorWriterGenerationRef",
	"writer_lease repos* Attempt.writerLeaseRef CleanupEligibility.writerLeaseRef",
	"writer_fence repos* Attempt.writerFenceRef",
	"provider_profile codewith* Attempt.providerProfileRef",
	"provider_route codewith* Attempt.providerRouteRef",
	"admission codewith* Attempt.admissionRef",
	"worker_actor codewith* Attempt.workerActorRef",
	"worker codewith* Attempt.workerRef",
	"runtime codewith* Attempt.runtimeRef",
	"repo repos Repository.repoRef",
	"worktree repos* Repository.worktreeRef CleanupEligibility.targetWorktreeRef CleanupOutcome.targetWorktreeRef",
	"branch repos Repository.branchRef ExactHead.remoteBranchRef RollbackPlan.targetRef RollbackOutcome.targetRef",
	"event_stream todos EventCursor.streamRef",
	"replay_cursor todos EventCursor.replayCursorRef CleanupEligibility.eventCursorRef",
	"handoff todos Handoff.ref",
	"pull_request todos pullRequestRef ExactHead.pullRequestRef Review.pullRequestRef MergeGuard.pullRequestRef MergeOutcome.pullRequestRef",
	"commit repos MergeOutcome.mergeCommitRef RollbackPlan.targetRef RollbackOutcome.targetRef",
	"review review Review.ref MergeGuard.reviewRefs",
	"reviewer review Review.reviewerRef",
	"review_run review Review.reviewRunRef",
	"proof_bundle review ExactHead.equalityProofRef ExactHead.ciProofBundleRefs Review.proofBundleRef MergeGuard.proofBundleRefs",
	"repair_cycle todos Repair.ref Repair.latestRepairRef",
	"merge_guard todos MergeGuard.ref MergeOutcome.guardRef",
	"merge_operator merge_provider* MergeGuard.operatorRef",
	"merge_operator_run merge_provider* MergeGuard.operatorRunRef",
	"merge_guard_receipt merge_provider* MergeGuard.providerGuardReceiptRef",
	"merge_outcome merge_provider* MergeOutcome.ref",
	"recovery todos Recovery.ref",
	"cancellation todos Cancellation.ref",
	"cleanup_eligibility repos CleanupEligibility.ref CleanupOutcome.eligibilityRef",
	"cleanup_outcome repos CleanupOutcome.ref",
	"rollback_plan todos RollbackPlan.ref RollbackOutcome.planRef",
	"rollback_outcome repos RollbackOutcome.ref",
	"terminal_disposition todos terminalDispositionRef CleanupEligibility.terminalDispositionRef",
	"openloops_invocation openloops* openLoopsInvocationRef",
	"adapter_extension adapter* AdapterExtension.ref",
}

// projectionMembers lists the members of each object that are no references of
// one role; a question mark marks those that may be absent.
var projectionMembers = map[string]string{
	"": "schema:const id:projectionId createdAt:timestamp canonicalizationVersion:1|2 identityDigest:digest frozenScopeDigest:digest " +
		"state:ProjectionState attempt:Attempt repository:Repository events:EventCursor openLoopsInvocationRef? pullRequestRef? exactHead?:ExactHead " +
		"handoff?:Handoff reviews?:Review[]=[] repair:Repair merge?:Merge recovery?:Recovery cancellation?:Cancellation cleanup?:Cleanup " +
		"rollback?:Rollback terminalDispositionRef? provenanceLedger:LedgerEntry[] adapterExtensions?:AdapterExtension[]=[] evidenceRefs?:ProjectionEvidence[]=[]",
	"Attempt":            "nonce:attemptNonce",
	"Repository":         "baseHead:GitObjectId branchHead:GitObjectId",
	"EventCursor":        "sequence:0..9007199254740991 prefixDigest:digest",
	"Handoff":            "stopEvidenceRef:ProjectionEvidence leaseRevocationEvidenceRef:ProjectionEvidence",
	"Review":             "base:GitObjectId head:GitObjectId verdict:approved|changes_requested|blocked reviewedAt:timestamp",
	"ExactHead":          "expectedBase:GitObjectId providerPullRequestBase:GitObjectId localHead:GitObjectId remoteHead:GitObjectId providerPullRequestHead:GitObjectId ciProofBundleRefs[1] verifiedAt:timestamp",
	"Repair":             "cycle:0..2 cap:2 exhausted:boolean latestRepairRef?",
	"Merge":              "guard:MergeGuard outcome?:MergeOutcome",
	"MergeGuard":         "expectedBase:GitObjectId expectedHead:GitObjectId reviewRefs[1] proofBundleRefs[1] mechanism:compare_and_swap|queue_expected_head decision:eligible|denied|consumed|revoked evaluatedAt:timestamp",
	"MergeOutcome":       "expectedBase:GitObjectId observedBase:GitObjectId expectedHead:GitObjectId observedHead:GitObjectId status:merged|closed_unmerged|refused|head_drift|base_drift mergeCommitRef? finishedAt:timestamp evidenceRefs:ProjectionEvidence[1]",
	"Recovery":           "successorAttemptNonce:attemptNonce preservedStateRefs:ProjectionRef[1] stopEvidenceRef:ProjectionEvidence leaseRevocationEvidenceRef:ProjectionEvidence",
	"Cancellation":       "preservedStateRefs:ProjectionRef[1] evidenceRefs:ProjectionEvidence[1]",
	"Cleanup":            "eligibility:CleanupEligibility outcome?:CleanupOutcome",
	"CleanupEligibility": "status:not_ready|preserved|blocked|eligible leaseRevocationEvidenceRef:ProjectionEvidence consumedEventEvidenceRef:ProjectionEvidence evaluatedAt:timestamp evidenceRefs:ProjectionEvidence[1]",
	"CleanupOutcome":     "status:preserved|deleted|failed|skipped finishedAt:timestamp evidenceRefs:ProjectionEvidence[1]",
	"Rollback":           "plan:RollbackPlan outcome?:RollbackOutcome",
	"RollbackPlan":       "createdAt:timestamp",
	"RollbackOutcome":    "status:not_run|succeeded|failed|cancelled finishedAt:timestamp evidenceRefs:ProjectionEvidence[1]",
	"AdapterExtension":   "mode:local|cloud schema:adapterExtensionSchemaId digest:digest",
	"GitObjectId":        "algorithm:sha1|sha256 value:^[a-f0-9]+$",
	"ProjectionEvidence": "id:evidenceId digest:digest redaction:StrictRedaction",
	"ProjectionRef":      "role:RefRole authority:RefAuthority id:refId digest:digest redaction:Redaction",
	"LedgerEntry": "category:LedgerCategory ref?:ProjectionRef base?:GitObjectId head?:GitObjectId projectionId?:projectionId nonce?:attemptNonce " +
		"sequence?:0..9007199254740991 prefixDigest?:digest",
}

// ledgerCategories are the members of each sort of entry, with the role of ref.
var ledgerCategories = map[string]string{
	"projection_id": "projectionId", "attempt_nonce": "nonce", "replay_prefix": "sequence prefixDigest",
	"work_run": "ref:work_run", "attempt": "ref:attempt", "admission": "ref:admission", "worker_actor": "ref:worker_actor",
	"worker_assignment": "ref:worker", "runtime": "ref:runtime", "writer_generation": "ref:writer_generation",
	"writer_lease": "ref:writer_lease", "writer_fence": "ref:writer_fence", "provider_profile": "ref:provider_profile",
	"provider_route": "ref:provider_route", "replay_cursor": "ref:replay_cursor", "repair_state": "ref:repair_cycle",
	"latest_repair": "ref:repair_cycle", "handoff": "ref:handoff", "recovery": "ref:recovery", "merge_guard": "ref:merge_guard",
	"cleanup_eligibility": "ref:cleanup_eligibility", "rollback_plan": "ref:rollback_plan", "terminal_disposition": "ref:terminal_disposition",
	"equality_proof": "ref:proof_bundle base head", "ci_proof": "ref:proof_bundle base head", "review_proof": "ref:proof_bundle base head",
	"review_record": "ref:review base head", "review_run": "ref:review_run base head", "provider_guard_receipt": "ref:merge_guard_receipt base head",
}

var projectionStates = strings.Fields("admitted running handed_off reviewing repairing merge_ready merged closed_unmerged failed blocked cancelled recovering cleanup_complete rolled_back")

// shape puts the type of a property in a word, and the definitions of one role
// that it may refer to in a list.
func shape(s *node) (word string, roles []string) {
	ref := func(s *node) string { return s.text("$ref")[strings.LastIndexByte(s.text("$ref"), '/')+1:] }
	list := func(n *node) string {
		var out []string
		for _, v := range n.items {
			out = append(out, fmt.Sprint(v.value))
		}
		return strings.Join(out, "|")
	}
	switch {
	case ref(s) == "RollbackTargetRef":
		return "", []string{"CommitRef", "BranchRef"}
	case strings.HasSuffix(ref(s), "Ref") && ref(s) != "ProjectionRef":
		return "", []string{ref(s)}
	case s.get("$ref") != nil:
		return ":" + ref(s), nil
	case s.text("type") == "array":
		word, roles = shape(s.get("items"))
		word += "["
		if n := s.get("minItems"); n != nil {
			word += fmt.Sprint(n.value)
		}
		word += "]"
		if n := s.get("default"); n != nil {
			word += "=" + fmt.Sprint(n.value)
		}
		return word, roles
	case s.text("const") == taskToPRID:
		return ":const", nil
	case s.get("const") != nil:
		return ":" + fmt.Sprint(s.get("const").value), nil
	case s.get("enum") != nil:
		return ":" + list(s.get("enum")), nil
	case s.get("minimum") != nil:
		return fmt.Sprintf(":%v..%v", s.get("minimum").value, s.get("maximum").value), nil
	case s.get("pattern") != nil:
		return ":" + s.text("pattern"), nil
	}
	return ":" + s.text("type"), nil
}

func TestTaskToPRStatesItsFacts(t *testing.T) {
	c := load(t)
	root := c.roots[taskToPRID]
	defs := root.get("$defs")
	roleOf := map[string]string{} // by definition
	slots := map[string][]string{}
	members := map[string]string{}
	object := func(name string, s *node) {
		if s.get("additionalProperties").value != false {
			t.Errorf("%s is not closed", name)
		}
		required := s.get("required").value.([]any)
		var words []string
		for _, member := range s.get("properties").names {
			at := strings.TrimPrefix(name+"."+member, ".")
			word, roles := shape(s.get("properties").get(member))
			for _, r := range roles {
				slots[r] = append(slots[r], at)
			}
			mark := ""
			if !slices.Contains(required, any(member)) {
				mark = "?"
			}
			if len(roles) == 0 || mark+word != "" {
				words = append(words, member+mark+word)
			}
		}
		members[name] = strings.Join(words, " ")
	}
	object("", root)
	for _, name := range defs.names {
		def := defs.get(name)
		role := def.get("properties").get("role").text("const")
		switch {
		case def.get("properties") == nil:
			continue
		case role == "":
			object(name, def)
			continue
		}
		p := def.get("properties")
		authority := p.get("authority").text("const")
		switch p.get("redaction").text("$ref") {
		case "#/$defs/StrictRedaction":
			authority += "*"
		case "#/$defs/Redaction":
		default:
			t.Errorf("%s: redaction is %v", name, p.get("redaction").value)
		}
		roleOf[name] = role + " " + authority
		if want := []string{"role", "authority", "id", "digest", "redaction"}; !slices.Equal(p.names, want) || len(def.get("required").items) != len(want) {
			t.Errorf("%s: members %q, want %q, all required", name, p.names, want)
		}
	}
	if diff := cmp.Diff(projectionMembers, members); diff != "" {
		t.Errorf("members (-facts +source):\n%s", diff)
	}
	var got, want []string
	for name, role := range roleOf {
		slices.Sort(slots[name])
		got = append(got, role+" "+strings.Join(slots[name], " "))
	}
	for _, line := range refRoles {
		f := strings.Fields(line)
		slices.Sort(f[2:])
		want = append(want, strings.Join(f, " "))
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("roles, authorities and slots (-facts +source):\n%s", diff)
	}
	enum := func(name string) (out []string) {
		for _, v := range defs.get(name).get("enum").items {
			out = append(out, v.value.(string))
		}
		return out
	}
	if got := enum("ProjectionState"); !slices.Equal(got, projectionStates) {
		t.Errorf("states %q, want %q", got, projectionStates)
	}
	for name, want := range map[string]int{"RefRole": 41, "RefAuthority": 7, "LedgerCategory": 29} {
		if got := len(enum(name)); got != want {
			t.Errorf("%s has %d values, want %d", name, got, want)
		}
	}
	if got, want := slices.Sorted(slices.Values(enum("LedgerCategory"))), slices.Sorted(maps.Keys(ledgerCategories)); !slices.Equal(got, want) {
		t.Errorf("categories %q, want %q", got, want)
	}
}

// Each category admits exactly its own members, and ref only with its own role.
func TestLedgerEntries(t *testing.T) {
	schema := load(t).definition(t, taskToPRID, "LedgerEntry")
	values := map[string]any{
		"projectionId": "task_to_pr_projection:opaque-" + strings.Repeat("a", 32), "nonce": "attempt_nonce:opaque-" + strings.Repeat("b", 32),
		"sequence": json.Number("4"), "prefixDigest": strings.Repeat("c", 64),
		"base": map[string]any{"algorithm": "sha1", "value": strings.Repeat("d", 40)}, "head": map[string]any{"algorithm": "sha256", "value": strings.Repeat("e", 64)},
	}
	refs := map[string]any{}
	for _, line := range refRoles {
		f := strings.Fields(line)
		refs[f[0]] = reference(f[0], strings.TrimSuffix(f[1], "*"), "partial")
	}
	accepts := func(entry map[string]any) bool { return schema.Validate(entry) == nil }
	for category, list := range ledgerCategories {
		entry := map[string]any{"category": category}
		for _, member := range strings.Fields(list) {
			name, role, isRef := strings.Cut(member, ":")
			if entry[name] = values[name]; isRef {
				entry[name] = refs[role]
			}
		}
		if !accepts(entry) {
			t.Errorf("%s: refuses %v", category, entry)
		}
		for name, value := range values {
			changed := maps.Clone(entry)
			if _, ok := entry[name]; ok {
				delete(changed, name)
			} else {
				changed[name] = value
			}
			if accepts(changed) {
				t.Errorf("%s: accepts %v", category, changed)
			}
		}
		role := ""
		if r, ok := entry["ref"].(map[string]any); ok {
			role = r["role"].(string)
		}
		for other, r := range refs {
			changed := maps.Clone(entry)
			changed["ref"] = r
			if accepts(changed) != (other == role) {
				t.Errorf("%s with a reference of %s: accepted %v", category, other, other != role)
			}
		}
	}
}

// Where a reference may have any role, authority and redaction still go by it.
func TestReferencesOfAnyRole(t *testing.T) {
	schema := load(t).definition(t, taskToPRID, "ProjectionRef")
	authorities := strings.Fields("todos codewith repos review merge_provider openloops adapter")
	for _, line := range refRoles {
		f := strings.Fields(line)
		own, strict := strings.CutSuffix(f[1], "*")
		for _, authority := range authorities {
			for _, redaction := range []string{"none", "partial", "full", "unknown"} {
				want := authority == own && redaction != "unknown" && (!strict || redaction != "none")
				if got := schema.Validate(reference(f[0], authority, redaction)) == nil; got != want {
					t.Errorf("%s of %s, redaction %s: accepted %v", f[0], authority, redaction, got)
				}
			}
		}
	}
}

func reference(role, authority, redaction string) map[string]any {
	digest := sha256.Sum256([]byte(role))
	text := hex.EncodeToString(digest[:])
	return map[string]any{"role": role, "authority": authority, "id": role + ":" + authority + ":opaque-" + text[:32], "digest": text, "redaction": redaction}
}

func TestTaskToPRFormats(t *testing.T) {
	c := load(t)
	h32, h64 := strings.Repeat("0f", 16), strings.Repeat("0f", 32)
	for name, tt := range map[string]struct{ accept, refuse []string }{
		"digest":       {[]string{h64}, []string{h64[1:], h64 + "0", strings.ToUpper(h64), " " + h64, ""}},
		"projectionId": {[]string{"task_to_pr_projection:opaque-" + h32, " task_to_pr_projection:opaque-" + h32 + "\n"}, []string{"task_to_pr_projection:opaque-" + h64, "task_to_pr_projection:" + h32, h32}},
		"attemptNonce": {[]string{"attempt_nonce:opaque-" + h32, "\ufeffattempt_nonce:opaque-" + h32}, []string{"attempt_nonce:opaque-" + strings.ToUpper(h32), "attempt:opaque-" + h32}},
		"refId":        {[]string{"work_run:codewith:opaque-" + h32, "\u3000a:b:opaque-" + h32 + " "}, []string{"work_run:opaque-" + h32, "a:b:c:opaque-" + h32, "A:b:opaque-" + h32, "a: b:opaque-" + h32}},
		"evidenceId":   {[]string{"evidence:opaque-" + h32}, []string{"evidence:opaque-" + h32 + "0", "evidence:x:opaque-" + h32}},
		"adapterExtensionSchemaId": {
			[]string{"hasna.task_to_pr_adapter_extension.a.v1", "hasna.task_to_pr_adapter_extension.a.b_1.v20", "hasna.task_to_pr_adapter_extension.v1"},
			[]string{"hasna.task_to_pr_adapter_extension.a", "hasna.task_to_pr_adapter_extensions.a.v1", "hasna.a.v1", "hasna.task_to_pr_adapter_extension.A.v1", "hasna.task_to_pr_adapter_extension.a.v1 "}},
	} {
		re := regexp.MustCompile(c.roots[taskToPRID].get("$defs").get(name).text("pattern"))
		for _, s := range tt.accept {
			if !re.MatchString(s) {
				t.Errorf("%s: refuses %q", name, s)
			}
		}
		for _, s := range tt.refuse {
			if re.MatchString(s) {
				t.Errorf("%s: accepts %q", name, s)
			}
		}
	}
}
