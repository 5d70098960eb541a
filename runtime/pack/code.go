package pack

// Code names what is wrong. Codes are stable; messages are not.
type Code string

// The codes of parsing a manifest.
const (
	CodeManifestMissing           Code = "PACK_MANIFEST_MISSING"
	CodeManifestUnreadable        Code = "PACK_MANIFEST_UNREADABLE"
	CodeYAMLInvalid               Code = "PACK_YAML_INVALID"
	CodeSchema                    Code = "PACK_SCHEMA"
	CodeUnknownKey                Code = "PACK_UNKNOWN_KEY" // warning
	CodeContractVersion           Code = "PACK_CONTRACT_VERSION"
	CodeVersionInvalid            Code = "PACK_VERSION_INVALID"
	CodeRangeInvalid              Code = "PACK_RANGE_INVALID"
	CodeTrustTierMalformed        Code = "PACK_TRUST_TIER_MALFORMED" // warning
	CodeExecutableForbidden       Code = "PACK_CLOSURE_EXECUTABLE_FORBIDDEN"
	CodePoliciesForbidden         Code = "PACK_CLOSURE_POLICIES_FORBIDDEN"
	CodeAdapterForbidden          Code = "PACK_CLOSURE_ADAPTER_FORBIDDEN"
	CodeAdapterRequired           Code = "PACK_CLOSURE_ADAPTER_REQUIRED"
	CodeCapabilitiesForbidden     Code = "PACK_CLOSURE_CAPABILITIES_FORBIDDEN"
	CodeCapabilitiesRequired      Code = "PACK_CLOSURE_CAPABILITIES_REQUIRED"
	CodeCapabilityGlobUnsafe      Code = "PACK_CAPABILITY_GLOB_UNSAFE"
	CodeDependsOnSelf             Code = "PACK_DEPENDS_ON_SELF"
	CodeDependsOnDuplicate        Code = "PACK_DEPENDS_ON_DUPLICATE"
	CodeMigrationToExceedsVersion Code = "PACK_MIGRATION_TO_EXCEEDS_VERSION"
	CodeMigrationStepKind         Code = "PACK_MIGRATION_STEP_KIND"
	CodeMigrationNoopStep         Code = "PACK_MIGRATION_NOOP_STEP" // warning
	CodeToolDuplicate             Code = "PACK_TOOL_DUPLICATE"      // of the gate, too
)

// The codes of the registration gate and of trust decisions.
const (
	CodeDuplicateID              Code = "PACK_DUPLICATE_ID"
	CodeKernelIncompatible       Code = "PACK_KERNEL_INCOMPATIBLE"
	CodeHostIncompatible         Code = "PACK_HOST_INCOMPATIBLE"
	CodeDependencyMissing        Code = "PACK_DEPENDENCY_MISSING"
	CodeDependencyVersion        Code = "PACK_DEPENDENCY_VERSION"
	CodeDependencyCycle          Code = "PACK_DEPENDENCY_CYCLE"
	CodeNamespaceDuplicate       Code = "PACK_NAMESPACE_DUPLICATE"
	CodeTrustAdapterUnregistered Code = "PACK_TRUST_ADAPTER_UNREGISTERED"
	CodeTrustTierMismatch        Code = "PACK_TRUST_TIER_MISMATCH"
	CodeTrustPackMismatch        Code = "PACK_TRUST_PACK_MISMATCH"
)

// The codes of refused and failed calls.
const (
	CodeToolNotFound            Code = "TOOL_NOT_FOUND"
	CodeScopeDenied             Code = "SCOPE_DENIED"
	CodePolicyDenied            Code = "POLICY_DENIED"
	CodeApprovalRequired        Code = "APPROVAL_REQUIRED"
	CodeInvalidInput            Code = "INVALID_INPUT"
	CodeInvalidOutput           Code = "INVALID_OUTPUT"
	CodeToolExecutionFailed     Code = "TOOL_EXECUTION_FAILED"
	CodeAuthorityInvalid        Code = "DISPATCH_AUTHORITY_INVALID"
	CodePackUnknown             Code = "DISPATCH_PACK_UNKNOWN"
	CodePackToolMismatch        Code = "DISPATCH_PACK_TOOL_MISMATCH"
	CodeTierNotExecutable       Code = "DISPATCH_TIER_NOT_EXECUTABLE"
	CodeTrustDenied             Code = "DISPATCH_TRUST_DENIED"
	CodeIsolatedHostUnavailable Code = "ISOLATED_HOST_UNAVAILABLE"
	CodeIsolatedMemoryLimit     Code = "ISOLATED_MEMORY_LIMIT"
	CodeIsolatedCPULimit        Code = "ISOLATED_CPU_LIMIT"
	CodeIsolatedCancelled       Code = "ISOLATED_CANCELLED"
	CodeIsolatedKilled          Code = "ISOLATED_KILLED"
)
