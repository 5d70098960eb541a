package cli

import (
	"slices"

	"github.com/contractkit/contractkit/generated/go/catalog"
	"github.com/contractkit/contractkit/runtime/contract"
)

// dispatchMember is where catalog documents name their schema.
const dispatchMember = "schema"

// registryOrder is the order in which people list the catalog.
var registryOrder = []string{
	"actor_ref", "resource_ref", "evidence_ref", "work_run", "task_to_pr_projection", "decision_envelope",
	"cost_estimate", "capability_card", "provider_live_mode_standard", "context_pack", "integration_ref",
	"project_manifest", "project_panel", "project_snapshot", "render_manifest", "agent_trajectory",
	"validation_plan", "proof_bundle", "scaffold_manifest", "scaffold_install_record", "app_cloud_manifest",
	"no_cloud_evidence_pack", "secure_local_store_policy", "service_contract", "comms_event_envelope",
	"comms_channel_metadata", "comms_message_metadata", "project_resource_link_collection", "app", "release",
	"rollout_record", "announcement", "audience", "product_projection", "intent_snapshot",
	"verified_source_candidate", "build_artifact", "artifact_attestation", "environment_binding",
	"deployment_request", "deployment_plan", "deployment_approval_decision", "deployment_attempt",
	"provider_receipt", "deployment_receipt", "launch_evidence",
}

// catalogIDs returns the ids of the built-in schemas: in registry order, and
// what is newer than that order at its end.
func catalogIDs() []string {
	have := catalog.SchemaIDs()
	var ids []string
	for _, name := range registryOrder {
		if id := "hasna." + name + ".v1"; slices.Contains(have, id) {
			ids = append(ids, id)
		}
	}
	for _, id := range have {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// catalogEntry returns the built-in schema of that id, or nil.
func catalogEntry(id string) *entry {
	if !slices.Contains(catalog.SchemaIDs(), id) {
		return nil
	}
	return compiledEntry(id)
}

// compiledEntry returns a schema of the generated catalog, whether or not it is listed.
func compiledEntry(id string) *entry {
	e := &entry{id: id, checker: compiled(id), parse: func(data []byte) ([]byte, error) {
		d, err := catalog.ParseAs(id, data)
		if err != nil {
			return nil, err
		}
		return d.AppendJSON(nil), nil
	}}
	e.history, e.set = histories[id], sets[id]
	if slices.Contains(changing, id) {
		e.transition = func(old, data []byte) contract.Issues { return catalog.ValidateTransitionAs(id, old, data) }
	}
	return e
}

// The schemas of the catalog that have rules of changes, of histories and of sets.
var (
	changing  = []string{catalog.TaskToPRProjectionSchemaID}
	histories = map[string]func([][]byte) contract.Issues{catalog.TaskToPRProjectionSchemaID: catalog.ValidateTaskToPRProjectionHistory}
	sets      = map[string]func([][]byte) contract.Issues{catalog.TaskToPRProjectionSchemaID: catalog.ValidateTaskToPRProjectionSet}
)

// compiled checks with generated code.
type compiled string

func (id compiled) Check(data []byte) contract.Issues { return catalog.ValidateAs(string(id), data) }
