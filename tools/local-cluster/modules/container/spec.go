package main

import (
	"encoding/json"
	"fmt"
	"os"
)

// spec is a container as the runtime of the test node describes it, in a JSON file.
type spec struct {
	// Owner is the process that starts this one; when it goes, so does the container.
	Owner int `json:"owner"`
	// NetworkNamespace is a file to enter, empty for the owner's own.
	NetworkNamespace string `json:"networkNamespace"`
	Hostname         string `json:"hostname"`
	// Root is the folder with the image's files, which is never written to.
	Root string `json:"root"`
	// Stage is an empty folder, on which things are mounted out of everybody else's sight.
	Stage string `json:"stage"`
	// Host are folders of the machine, bound read-only at the same path.
	Host   []string `json:"host"`
	Mounts []mount  `json:"mounts"`
	// Files are written into the root: path to content.
	Files            map[string]string `json:"files"`
	ReadOnlyRoot     bool              `json:"readOnlyRoot"`
	Command          []string          `json:"command"`
	Env              []string          `json:"env"`
	WorkingDir       string            `json:"workingDir"`
	UID              int               `json:"uid"`
	GID              int               `json:"gid"`
	Groups           []int             `json:"groups"`
	TakeUser         bool              `json:"takeUser"`
	DropCapabilities bool              `json:"dropCapabilities"`
	NoNewPrivileges  bool              `json:"noNewPrivileges"`
}

// mount is a file or folder of the machine at a path of the container.
type mount struct {
	Source   string `json:"source"`
	Path     string `json:"path"`
	SubPath  string `json:"subPath"`
	ReadOnly bool   `json:"readOnly"`
}

func readSpec(file string) (*spec, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	read := &spec{}
	if err := json.Unmarshal(text, read); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(read.Command) == 0 {
		return nil, fmt.Errorf("%s: no command", file)
	}
	return read, nil
}
