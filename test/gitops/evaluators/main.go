// The verdicts of Argo CD, Flux and kubectl on objects, by the libraries that these tools use. Reads one request as JSON from the standard
// input: the data of Argo CD's ConfigMap, Flux's expressions, and the objects. Writes the verdicts, one for each object, as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	fluxstatus "github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"github.com/fluxcd/pkg/apis/kustomize"
	"github.com/fluxcd/pkg/runtime/cel"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kstatus "sigs.k8s.io/cli-utils/pkg/kstatus/status"
)

type request struct {
	ConfigMap   map[string]string             `json:"configMap"`
	Expressions []kustomize.CustomHealthCheck `json:"expressions"`
	Objects     []json.RawMessage             `json:"objects"`
}

type verdict struct {
	Status  string `json:"status"`
	Message string `json:"message,omitempty"`
}

type verdicts struct {
	Argo    verdict `json:"argo"`
	Flux    verdict `json:"flux"`
	Kstatus verdict `json:"kstatus"`
}

func main() {
	var asked request
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		fail(err)
	}
	argo, err := newArgo(asked.ConfigMap)
	if err != nil {
		fail(err)
	}
	flux, err := newFlux(asked.Expressions)
	if err != nil {
		fail(err)
	}
	answers := make([]verdicts, 0, len(asked.Objects))
	for _, text := range asked.Objects {
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(text); err != nil {
			fail(err)
		}
		answers = append(answers, verdicts{argo.health(object), flux.health(object), kstatusOf(object)})
	}
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// Flux's evaluators by group and kind: of several for a kind, the first counts.
type flux map[schema.GroupKind]*cel.StatusEvaluator

func newFlux(checks []kustomize.CustomHealthCheck) (flux, error) {
	evaluators := flux{}
	for _, check := range checks {
		kind := schema.FromAPIVersionAndKind(check.APIVersion, check.Kind).GroupKind()
		if _, found := evaluators[kind]; found {
			continue
		}
		evaluator, err := cel.NewStatusEvaluator(&check.HealthCheckExpressions)
		if err != nil {
			return nil, err
		}
		evaluators[kind] = evaluator
	}
	return evaluators, nil
}

func (f flux) health(object *unstructured.Unstructured) verdict {
	var result *fluxstatus.Result
	var err error
	if evaluator, found := f[object.GroupVersionKind().GroupKind()]; found {
		result, err = evaluator.Evaluate(context.Background(), object)
	} else {
		result, err = fluxstatus.Compute(object)
	}
	if err != nil {
		// As the status reader does: Flux goes on polling.
		return verdict{string(fluxstatus.UnknownStatus), err.Error()}
	}
	return verdict{string(result.Status), result.Message}
}

func kstatusOf(object *unstructured.Unstructured) verdict {
	result, err := kstatus.Compute(object)
	if err != nil {
		return verdict{string(kstatus.UnknownStatus), err.Error()}
	}
	return verdict{string(result.Status), result.Message}
}
