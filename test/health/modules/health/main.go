// Says how a resource is, in the words of Argo CD and of kstatus, which Flux, Helm and kpt use.
//
//	health FILE.lua < objects
//
// Reads an object in JSON a line, and writes {"argo": {…}, "kstatus": {…}} a line: what the Lua script of an Argo CD
// health check makes of it, in Argo CD's interpreter with no more libraries than Argo CD lends it, and what kstatus does.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	lua "github.com/yuin/gopher-lua"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
)

type verdict struct {
	Status  string `json:"status"`
	Message string `json:"message"`
}

type verdicts struct {
	Argo    verdict `json:"argo"`
	Kstatus verdict `json:"kstatus"`
}

// What an object may hold in one line.
const longestLine = 16 << 20

// Argo CD ends a script that takes longer.
const longestRun = time.Second

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "health:", err)
		os.Exit(1)
	}
}

func run(args []string, in io.Reader, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("expected the file of the health check")
	}
	script, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, longestLine)
	encoder := json.NewEncoder(out)
	for lines.Scan() {
		// As the clients of both read an object: whole numbers become int64
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(lines.Bytes()); err != nil {
			return err
		}
		argo, err := argoHealth(string(script), object)
		if err != nil {
			return fmt.Errorf("%s: %w", object.GetName(), err)
		}
		computed, err := status.Compute(object)
		if err != nil {
			return fmt.Errorf("%s: kstatus: %w", object.GetName(), err)
		}
		both := verdicts{Argo: argo, Kstatus: verdict{computed.Status.String(), computed.Message}}
		if err := encoder.Encode(both); err != nil {
			return err
		}
	}
	return lines.Err()
}

func argoHealth(script string, object *unstructured.Unstructured) (verdict, error) {
	state := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer state.Close()
	libraries := []struct {
		name string
		open lua.LGFunction
	}{
		// must be the first
		{lua.LoadLibName, lua.OpenPackage},
		{lua.BaseLibName, lua.OpenBase},
		{lua.TabLibName, lua.OpenTable},
	}
	for _, library := range libraries {
		call := lua.P{Fn: state.NewFunction(library.open), NRet: 0, Protect: true}
		if err := state.CallByParam(call, lua.LString(library.name)); err != nil {
			return verdict{}, err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), longestRun)
	defer cancel()
	state.SetContext(ctx)
	state.SetGlobal("obj", toLua(state, object.Object))
	if err := state.DoString(script); err != nil {
		return verdict{}, err
	}
	table, ok := state.Get(-1).(*lua.LTable)
	if !ok {
		return verdict{}, fmt.Errorf("expected a table from the script, got %s", state.Get(-1).Type())
	}
	health, ok := table.RawGetString("status").(lua.LString)
	if !ok {
		return verdict{}, errors.New("expected a text in status")
	}
	switch health {
	case "Healthy", "Progressing", "Degraded", "Suspended", "Missing", "Unknown":
	default:
		return verdict{}, fmt.Errorf("Argo CD knows no status %q", string(health))
	}
	message, ok := table.RawGetString("message").(lua.LString)
	if !ok && table.RawGetString("message") != lua.LNil {
		return verdict{}, errors.New("expected a text in message")
	}
	return verdict{string(health), string(message)}, nil
}

func toLua(state *lua.LState, value any) lua.LValue {
	switch known := value.(type) {
	case bool:
		return lua.LBool(known)
	case int64:
		return lua.LNumber(known)
	case float64:
		return lua.LNumber(known)
	case string:
		return lua.LString(known)
	case []any:
		table := state.CreateTable(len(known), 0)
		for _, item := range known {
			table.Append(toLua(state, item))
		}
		return table
	case map[string]any:
		table := state.CreateTable(0, len(known))
		for key, item := range known {
			table.RawSetString(key, toLua(state, item))
		}
		return table
	default:
		return lua.LNil
	}
}
