// Evaluates the rules of each line of the standard input with cel-go, and prints its name and the nanoseconds that all rules
// of the line take together: the median. The value of the object is made once.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"time"

	"github.com/google/cel-go/cel"
)

type row struct {
	Name   string         `json:"name"`
	Rules  []string       `json:"rules"`
	Object map[string]any `json:"object"`
}

const evaluations = 501

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// whole turns numbers without a fraction into integers, as servers decode them.
func whole(value any) any {
	switch value := value.(type) {
	case float64:
		if value == float64(int64(value)) {
			return int64(value)
		}
	case []any:
		for i := range value {
			value[i] = whole(value[i])
		}
	case map[string]any:
		for key := range value {
			value[key] = whole(value[key])
		}
	}
	return value
}

func programs(rules []string) []cel.Program {
	env, err := cel.NewEnv(cel.Variable("self", cel.DynType), cel.CrossTypeNumericComparisons(true))
	check(err)
	var compiled []cel.Program
	for _, rule := range rules {
		ast, issues := env.Compile(rule)
		check(issues.Err())
		// Servers track costs and optimise constants.
		program, err := env.Program(ast, cel.EvalOptions(cel.OptOptimize, cel.OptTrackCost))
		check(err)
		compiled = append(compiled, program)
	}
	return compiled
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var own row
		check(json.Unmarshal(lines.Bytes(), &own))
		compiled := programs(own.Rules)
		given := map[string]any{"self": whole(own.Object)}
		var took []float64
		for range evaluations {
			start := time.Now()
			for _, program := range compiled {
				result, _, err := program.Eval(given)
				check(err)
				if result.Value() != true {
					panic("a rule is violated")
				}
			}
			took = append(took, float64(time.Since(start).Nanoseconds()))
		}
		sort.Float64s(took)
		fmt.Printf("%s\t%.0f\n", own.Name, took[evaluations/2])
	}
}
