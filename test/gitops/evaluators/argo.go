package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gobwas/glob"
	lua "github.com/yuin/gopher-lua"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	luajson "layeh.com/gopher-json"
	"sigs.k8s.io/yaml"
)

const customizations = "resource.customizations"

// The statuses that Argo CD accepts from a script.
var accepted = []string{"Healthy", "Suspended", "Progressing", "Missing", "Degraded", "Unknown"}

// Argo CD's scripts by `group/Kind` or a pattern of it.
type argo map[string]string

// Reads the data of argocd-cm: the key resource.customizations, whose entries may have wildcards, then resource.customizations.<type>.<kind>.
func newArgo(data map[string]string) (argo, error) {
	scripts := argo{}
	entries := map[string]struct {
		Health string `json:"health.lua"`
		// A text with YAML in it, not YAML.
		IgnoreResourceUpdates string `json:"ignoreResourceUpdates"`
	}{}
	if err := yaml.UnmarshalStrict([]byte(data[customizations]), &entries); err != nil {
		return nil, err
	}
	for kind, entry := range entries {
		scripts[kind] = entry.Health
		if err := checkIgnored(entry.IgnoreResourceUpdates); err != nil {
			return nil, err
		}
	}
	for key, value := range data {
		parts := strings.SplitN(key, ".", 4)
		if !strings.HasPrefix(key, customizations+".") || len(parts) < 4 {
			continue
		}
		name := strings.Split(parts[3], "_")
		if len(name) != 2 {
			return nil, fmt.Errorf("%s: no group and kind", key)
		}
		switch parts[2] {
		case "health":
			scripts[name[0]+"/"+name[1]] = value
		case "ignoreResourceUpdates":
			if err := checkIgnored(value); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("%s: Argo CD has no such customization", key)
		}
	}
	return scripts, nil
}

func checkIgnored(text string) error {
	var ignored struct {
		JSONPointers []string `json:"jsonPointers"`
	}
	return yaml.UnmarshalStrict([]byte(text), &ignored)
}

func (a argo) scriptFor(kind string) (string, bool) {
	if script, found := a[kind]; found {
		return script, true
	}
	for pattern, script := range a {
		if matcher, err := glob.Compile(pattern); err == nil && matcher.Match(kind) {
			return script, true
		}
	}
	return "", false
}

// An object without a script has no health, and counts as healthy.
func (a argo) health(object *unstructured.Unstructured) verdict {
	// Argo CD says this before it runs a script.
	if object.GetDeletionTimestamp() != nil {
		return verdict{"Progressing", "Pending deletion"}
	}
	kind := object.GroupVersionKind()
	script, found := a.scriptFor(kind.Group + "/" + kind.Kind)
	if !found {
		return verdict{Status: "none"}
	}
	result, err := run(script, object.Object)
	if err != nil {
		return verdict{"Unknown", err.Error()}
	}
	if !slices.Contains(accepted, result.Status) {
		return verdict{"Unknown", "Lua returned an invalid health status"}
	}
	return result
}

// A script has the base library, `package` and `table`, one second, and the object in the global `obj`. (It has parts of `os`, too.)
func run(script string, object map[string]any) (verdict, error) {
	state := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer state.Close()
	for _, library := range []struct {
		name string
		open lua.LGFunction
	}{{lua.LoadLibName, lua.OpenPackage}, {lua.BaseLibName, lua.OpenBase}, {lua.TabLibName, lua.OpenTable}} {
		call := lua.P{Fn: state.NewFunction(library.open), NRet: 0, Protect: true}
		if err := state.CallByParam(call, lua.LString(library.name)); err != nil {
			return verdict{}, err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	state.SetContext(ctx)
	state.SetGlobal("obj", valueOf(state, object))
	if err := state.DoString(script); err != nil {
		return verdict{}, err
	}
	text, err := luajson.Encode(state.Get(-1))
	if err != nil {
		return verdict{}, err
	}
	var result verdict
	return result, json.Unmarshal(text, &result)
}

func valueOf(state *lua.LState, value any) lua.LValue {
	switch typed := value.(type) {
	case bool:
		return lua.LBool(typed)
	case string:
		return lua.LString(typed)
	case json.Number:
		return lua.LString(typed)
	case float64:
		return lua.LNumber(typed)
	case int64:
		return lua.LNumber(typed)
	case []any:
		list := state.CreateTable(len(typed), 0)
		for _, item := range typed {
			list.Append(valueOf(state, item))
		}
		return list
	case map[string]any:
		table := state.CreateTable(0, len(typed))
		for key, item := range typed {
			table.RawSetString(key, valueOf(state, item))
		}
		return table
	}
	return lua.LNil
}
