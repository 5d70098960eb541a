package rules

import (
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// provider tells the checker of the object types in views.
type provider struct {
	*types.Registry
	t *typer
}

func (p *provider) FindStructType(name string) (*types.Type, bool) {
	if i := p.t.byName[name]; i != 0 {
		return types.NewTypeTypeWithParam(p.t.celType[i]), true
	}
	return p.Registry.FindStructType(name)
}

func (p *provider) FindStructFieldNames(name string) ([]string, bool) {
	i := p.t.byName[name]
	if i == 0 {
		return p.Registry.FindStructFieldNames(name)
	}
	var names []string
	for _, f := range p.t.views[i].Fields {
		names = append(names, f.Ident)
	}
	return names, true
}

func (p *provider) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	i := p.t.byName[name]
	if i == 0 {
		return p.Registry.FindStructFieldType(name, field)
	}
	f := p.t.field(i, field)
	if f == nil {
		return nil, false
	}
	return &types.FieldType{Type: p.t.cel(f.Term)}, true
}

// NewValue refuses: documents are read, not made.
func (p *provider) NewValue(name string, fields map[string]ref.Val) ref.Val {
	if p.t.byName[name] != 0 {
		return types.NewErr("a rule cannot make a value of %s", name)
	}
	return p.Registry.NewValue(name, fields)
}
