package pgbloomfilter_test

import (
	"fmt"

	"pgbloomfilter"
)

func Example() {
	f, err := pgbloomfilter.New(1000, 0.01, 0) // for 1000 values, at 1 %
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if err := f.Add("Zürich"); err != nil {
		panic(err)
	}
	fmt.Println(f.Has("Zürich")) // probably
	fmt.Println(f.Has("Basel"))  // certainly not
	_, err = f.Has(42)
	fmt.Println(err)
	// Output:
	// true <nil>
	// false <nil>
	// bloomfilter and value are of different types
}
