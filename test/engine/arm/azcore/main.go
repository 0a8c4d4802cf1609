// Begins and resumes operations with azcore, in the way of ASO (v2/internal/genericarmclient): the referee of resume tokens.
//
// Reads one JSON object a line, and answers each with one.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
)

// The names of the types are in the tokens.
type GenericResource struct {
	ID *string `json:"id,omitempty"`
}
type GenericDeleteResponse struct{}
type BackupInstancesClientSyncBackupInstanceResponse struct{}

type command struct {
	// Of the result: the name of a type above.
	Type string `json:"type"`
	// Of an operation to begin.
	Method string `json:"method"`
	URL    string `json:"url"`
	// Of an operation to resume, instead.
	Token string `json:"token"`
}

type answer struct {
	Token string `json:"token,omitempty"`
	Done  bool   `json:"done"`
	Error string `json:"error,omitempty"`
}

var pipeline = runtime.NewPipeline("referee", "v1", runtime.PipelineOptions{}, &policy.ClientOptions{Retry: policy.RetryOptions{MaxRetries: -1}})

func begin[T any](c command) (*runtime.Poller[T], error) {
	// The context has the name that azcore's simulated Azure needs.
	ctx := context.WithValue(context.Background(), runtime.CtxAPINameKey{}, "referee")
	request, err := runtime.NewRequest(ctx, c.Method, c.URL)
	if err != nil {
		return nil, err
	}
	response, err := pipeline.Do(request)
	if err != nil {
		return nil, err
	}
	return runtime.NewPoller[T](response, pipeline, nil)
}

func resume[T any](c command) (*runtime.Poller[T], error) {
	poller, err := runtime.NewPollerFromResumeToken[T](c.Token, pipeline, nil)
	if err != nil {
		return nil, err
	}
	if _, err = poller.Poll(context.Background()); err != nil {
		return nil, err
	}
	if poller.Done() {
		_, err = poller.Result(context.Background())
	}
	return poller, err
}

func run[T any](c command) answer {
	act := begin[T]
	if c.Token != "" {
		act = resume[T]
	}
	poller, err := act(c)
	if err != nil {
		return answer{Error: err.Error()}
	}
	if poller.Done() {
		return answer{Done: true}
	}
	token, err := poller.ResumeToken()
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Token: token}
}

func carryOut(line []byte) answer {
	var c command
	if err := json.Unmarshal(line, &c); err != nil {
		return answer{Error: err.Error()}
	}
	switch c.Type {
	case "GenericResource":
		return run[GenericResource](c)
	case "GenericDeleteResponse":
		return run[GenericDeleteResponse](c)
	case "BackupInstancesClientSyncBackupInstanceResponse":
		return run[BackupInstancesClientSyncBackupInstanceResponse](c)
	}
	return answer{Error: fmt.Sprintf("unknown type %q", c.Type)}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	output := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		if err := output.Encode(carryOut(lines.Bytes())); err != nil {
			os.Exit(1)
		}
	}
}
