package main

import "encoding/json"

// The structs that a Go programmer would write by hand for these contracts:
// plain fields, pointers for optional members, free members kept as text. They
// carry what the generated types carry, so decoding into them is the same work
// without the validation.

type plainHead struct {
	Schema    string                     `json:"schema"`
	ID        string                     `json:"id"`
	CreatedAt string                     `json:"createdAt"`
	UpdatedAt *string                    `json:"updatedAt,omitempty"`
	Metadata  map[string]json.RawMessage `json:"metadata,omitempty"`
}

type plainResource struct {
	Kind          string   `json:"kind"`
	ID            string   `json:"id"`
	Name          *string  `json:"name,omitempty"`
	URI           *string  `json:"uri,omitempty"`
	ExternalID    *string  `json:"externalId,omitempty"`
	SourcePackage *string  `json:"sourcePackage,omitempty"`
	Tags          []string `json:"tags,omitempty"`
}

type plainEvidence struct {
	ID      string  `json:"id"`
	Kind    *string `json:"kind,omitempty"`
	URI     *string `json:"uri,omitempty"`
	SHA256  *string `json:"sha256,omitempty"`
	Summary *string `json:"summary,omitempty"`
}

type plainActor struct {
	Kind      string  `json:"kind"`
	ID        string  `json:"id"`
	Name      *string `json:"name,omitempty"`
	Provider  *string `json:"provider,omitempty"`
	AccountID *string `json:"accountId,omitempty"`
	MachineID *string `json:"machineId,omitempty"`
}

type plainRelease struct {
	plainHead
	AppID        string          `json:"appId"`
	Package      string          `json:"package"`
	Version      string          `json:"version"`
	GitSHA       string          `json:"gitSha"`
	PublishedAt  string          `json:"publishedAt"`
	PublishPath  string          `json:"publishPath"`
	ChangelogRef *plainResource  `json:"changelogRef,omitempty"`
	EvidenceRefs []plainEvidence `json:"evidenceRefs,omitempty"`
}

type plainApp struct {
	plainHead
	AppID       string `json:"appId"`
	NPMName     string `json:"npmName"`
	RepoFolder  string `json:"repoFolder"`
	GithubURL   string `json:"githubUrl"`
	ProjectSlug string `json:"projectSlug"`
	Surfaces    *struct {
		Bins []string `json:"bins,omitempty"`
		MCP  *struct {
			Transport *string `json:"transport,omitempty"`
			Bin       *string `json:"bin,omitempty"`
			URL       *string `json:"url,omitempty"`
		} `json:"mcp,omitempty"`
		HTTP *struct {
			HealthPath *string `json:"healthPath,omitempty"`
			Port       *int64  `json:"port,omitempty"`
			BaseURL    *string `json:"baseUrl,omitempty"`
		} `json:"http,omitempty"`
	} `json:"surfaces,omitempty"`
	Lifecycle      string   `json:"lifecycle"`
	ReleaseChannel *string  `json:"releaseChannel,omitempty"`
	Summary        *string  `json:"summary,omitempty"`
	Tags           []string `json:"tags,omitempty"`
}

type plainEvidenceRef struct {
	plainHead
	Kind         string          `json:"kind"`
	URI          string          `json:"uri"`
	SHA256       *string         `json:"sha256,omitempty"`
	Summary      *string         `json:"summary,omitempty"`
	ContentType  *string         `json:"contentType,omitempty"`
	SizeBytes    *int64          `json:"sizeBytes,omitempty"`
	Redaction    *string         `json:"redaction,omitempty"`
	Producer     *plainActor     `json:"producer,omitempty"`
	ResourceRefs []plainResource `json:"resourceRefs,omitempty"`
	Tags         []string        `json:"tags,omitempty"`
}

type plainActorRef struct {
	plainHead
	Kind         string   `json:"kind"`
	Name         *string  `json:"name,omitempty"`
	Provider     *string  `json:"provider,omitempty"`
	AccountID    *string  `json:"accountId,omitempty"`
	MachineID    *string  `json:"machineId,omitempty"`
	Capabilities []string `json:"capabilities,omitempty"`
}

type plainResourceRef struct {
	plainHead
	Kind          string   `json:"kind"`
	Name          *string  `json:"name,omitempty"`
	URI           *string  `json:"uri,omitempty"`
	ExternalID    *string  `json:"externalId,omitempty"`
	SourcePackage *string  `json:"sourcePackage,omitempty"`
	Tags          []string `json:"tags,omitempty"`
}

type plainCost struct {
	plainHead
	Currency         *string         `json:"currency,omitempty"`
	AmountMicros     int64           `json:"amountMicros"`
	Provider         *string         `json:"provider,omitempty"`
	Model            *string         `json:"model,omitempty"`
	AccountID        *string         `json:"accountId,omitempty"`
	PromptTokens     *int64          `json:"promptTokens,omitempty"`
	CompletionTokens *int64          `json:"completionTokens,omitempty"`
	TotalTokens      *int64          `json:"totalTokens,omitempty"`
	Basis            *string         `json:"basis,omitempty"`
	ResourceRefs     []plainResource `json:"resourceRefs,omitempty"`
}

type plainDecision struct {
	plainHead
	DecisionType   string          `json:"decisionType"`
	Status         string          `json:"status"`
	Actor          *plainActor     `json:"actor,omitempty"`
	TraceID        *string         `json:"traceId,omitempty"`
	InputHash      *string         `json:"inputHash,omitempty"`
	PolicyBundleID *string         `json:"policyBundleId,omitempty"`
	Selected       []plainResource `json:"selected,omitempty"`
	Skipped        []plainResource `json:"skipped,omitempty"`
	Reason         string          `json:"reason"`
	Obligations    []string        `json:"obligations,omitempty"`
	Redactions     []string        `json:"redactions,omitempty"`
	CostEstimate   *plainCost      `json:"costEstimate,omitempty"`
	EvidenceRefs   []plainEvidence `json:"evidenceRefs,omitempty"`
}

type plainContextPack struct {
	plainHead
	Objective string `json:"objective"`
	Budget    *struct {
		MaxTokens *int64 `json:"maxTokens,omitempty"`
		MaxBytes  *int64 `json:"maxBytes,omitempty"`
	} `json:"budget,omitempty"`
	Items []struct {
		ID           string          `json:"id"`
		Title        *string         `json:"title,omitempty"`
		Summary      string          `json:"summary"`
		Text         *string         `json:"text,omitempty"`
		Tokens       *int64          `json:"tokens,omitempty"`
		Source       plainEvidence   `json:"source"`
		ResourceRefs []plainResource `json:"resourceRefs,omitempty"`
	} `json:"items,omitempty"`
	Citations   []plainEvidence `json:"citations,omitempty"`
	Freshness   *string         `json:"freshness,omitempty"`
	Permissions []string        `json:"permissions,omitempty"`
	Redactions  []string        `json:"redactions,omitempty"`
	Conflicts   []string        `json:"conflicts,omitempty"`
	Uncertainty *string         `json:"uncertainty,omitempty"`
}

type plainAnnouncement struct {
	plainHead
	CampaignID string         `json:"campaignId"`
	AppID      *string        `json:"appId,omitempty"`
	ReleaseRef *plainResource `json:"releaseRef,omitempty"`
	Channels   []struct {
		Channel     string  `json:"channel"`
		Status      string  `json:"status"`
		DeliveredAt *string `json:"deliveredAt,omitempty"`
		Detail      *string `json:"detail,omitempty"`
	} `json:"channels"`
	AudienceRef plainResource `json:"audienceRef"`
	SentAt      string        `json:"sentAt"`
}

type plainWorkRun struct {
	plainHead
	Objective          string          `json:"objective"`
	Status             string          `json:"status"`
	Actor              plainActor      `json:"actor"`
	TraceID            *string         `json:"traceId,omitempty"`
	StartedAt          *string         `json:"startedAt,omitempty"`
	FinishedAt         *string         `json:"finishedAt,omitempty"`
	Constraints        []string        `json:"constraints,omitempty"`
	ResourceRefs       []plainResource `json:"resourceRefs,omitempty"`
	Decisions          []plainDecision `json:"decisions,omitempty"`
	CostEstimates      []plainCost     `json:"costEstimates,omitempty"`
	EvidenceRefs       []plainEvidence `json:"evidenceRefs,omitempty"`
	ValidationPlanRefs []plainResource `json:"validationPlanRefs,omitempty"`
	ProofBundleRefs    []plainResource `json:"proofBundleRefs,omitempty"`
}
