package cli

import (
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/contractkit/contractkit/internal/config"
)

// projectFlags say which project a command works on.
type projectFlags struct {
	config string
	format format
}

func (p *projectFlags) flags(set *pflag.FlagSet, sarif bool) {
	set.StringVarP(&p.config, "config", "c", "", "project file; default: the nearest contracts.yaml at or above the working folder")
	p.format.flags(set, sarif)
}

// load reads the project file.
func (p *projectFlags) load(env *Env) (*config.Project, error) {
	file := p.config
	if file == "" {
		var err error
		if file, err = config.Find(env.Dir); err != nil {
			return nil, err
		}
	}
	return config.Load(inDir(env, file))
}

// inDir makes a path of the command line one that can be opened.
func inDir(env *Env, file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(env.Dir, file)
}
