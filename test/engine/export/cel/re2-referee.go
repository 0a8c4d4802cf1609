// Fills re2-corpus.json: `go run re2-referee.go < re2-corpus.json > new.json` asks Go's regexp, which cel-go uses, which texts match which patterns.
// A row is [pattern, indexes of the texts that match] or [pattern, error].
package main

import (
	"encoding/json"
	"os"
	"regexp"
)

func main() {
	var in struct {
		Texts    []string
		Patterns [][]any
	}
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		panic(err)
	}
	rows := [][]any{}
	for _, row := range in.Patterns {
		p := row[0].(string)
		re, err := regexp.Compile(p)
		if err != nil {
			rows = append(rows, []any{p, err.Error()})
			continue
		}
		m := []int{}
		for i, t := range in.Texts {
			if re.MatchString(t) {
				m = append(m, i)
			}
		}
		rows = append(rows, []any{p, m})
	}
	enc := json.NewEncoder(os.Stdout)
	enc.SetEscapeHTML(false)
	enc.Encode(map[string]any{"texts": in.Texts, "patterns": rows})
}
