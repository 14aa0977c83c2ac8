// Package bench measures work and prints it as rows: a name, a tab, and the median of the microseconds.
package bench

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"
)

// runs is the number of runs of a row.
const runs = 15

// Main calls rows with the folder that is the only argument of the program, on one core: a collection of garbage takes time from the
// work that it runs beside.
func Main(rows func(folder string) error) {
	if len(os.Args) != 2 {
		fmt.Fprintf(os.Stderr, "usage: %s FOLDER\n", os.Args[0])
		os.Exit(2)
	}
	runtime.GOMAXPROCS(1)
	if err := rows(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Row measures work and prints the row.
func Row(name string, work func() error) error {
	// The garbage of the rows before is not part of this one.
	runtime.GC()
	times := make([]time.Duration, runs)
	for i := range times {
		start := time.Now()
		if err := work(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		times[i] = time.Since(start)
	}
	slices.Sort(times)
	_, err := fmt.Printf("%s\t%d\n", name, times[runs/2].Microseconds())
	return err
}
