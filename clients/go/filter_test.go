package pgbloomfilter

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// What clients/vectors.py describes.
type vector struct {
	Type, Text, Bytes string
	Members           []string
	Others            [][2]any
	Info              struct {
		N    float64 `json:"expected_items"`
		P    float64 `json:"target_false_positive_rate"`
		Seed string
	}
}

type failure struct{ Code, Message, Detail, Hint string }

func readVectors(t *testing.T) (vectors struct {
	Filters   map[string]vector
	Malformed []struct {
		Form, Input, Text string
		Error             *failure
	}
}) {
	file, err := os.ReadFile("../vectors.json")
	if err == nil {
		err = json.Unmarshal(file, &vectors)
	}
	if err != nil {
		t.Fatal(err)
	}
	return vectors
}

// native gives a value as Go has it, nil if it has none.
func native(t *testing.T, family, text string) any {
	var value any
	var err error
	switch family {
	case "integer":
		value, err = strconv.ParseInt(text, 10, 64)
	case "float":
		value, err = strconv.ParseFloat(text, 64)
	case "boolean":
		value = text == "true"
	case "text":
		value = text
	case "bpchar":
		value = BPChar(text)
	case "bytea":
		value, err = hex.DecodeString(text[2:])
	case "uuid":
		var uuid UUID
		_, err = hex.Decode(uuid[:], []byte(strings.ReplaceAll(text, "-", "")))
		value = uuid
	case "oid":
		var oid uint64
		oid, err = strconv.ParseUint(text, 10, 32)
		value = OID(oid)
	case "timestamptz":
		if strings.Contains(text, "infinity") || strings.HasSuffix(text, "BC") {
			return nil
		}
		value, err = time.Parse("2006-01-02 15:04:05.999999-07", text)
	default:
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func TestVectors(t *testing.T) {
	asked, built := map[string]int{}, 0
	for name, v := range readVectors(t).Filters {
		f := must[*Filter](t)(Parse([]byte(v.Text)))
		if bytes := must[[]byte](t)(f.Bytes()); hex.EncodeToString(bytes) != v.Bytes {
			t.Error(name, "has other bytes")
		}
		again := must[*Filter](t)(New(v.Info.N, v.Info.P, must[int64](t)(strconv.ParseInt(v.Info.Seed, 10, 64))))
		complete := !strings.HasPrefix(name, "integer, k=")
		for _, member := range v.Members {
			value := native(t, v.Type, member)
			if value == nil {
				complete = false
				continue
			}
			asked[v.Type]++
			if !must[bool](t)(f.Has(value)) {
				t.Error(name, "has not", member)
			}
			if err := again.Add(value); err != nil {
				t.Error(err)
			}
		}
		for _, other := range v.Others {
			if value := native(t, v.Type, other[0].(string)); value != nil &&
				must[bool](t)(f.Has(value)) != other[1].(bool) {
				t.Error(name, other, "is answered otherwise")
			}
		}
		if complete {
			built++
			if text := must[string](t)(again.Text()); text != v.Text {
				t.Error(name, "is built otherwise:", text)
			}
		}
		f.Close()
	}
	if len(asked) != 9 || built < 20 {
		t.Error("too little was tested:", asked, built)
	}
}

func TestErrors(t *testing.T) {
	for _, v := range readVectors(t).Malformed {
		if v.Form != "text" || v.Error == nil || v.Input == "" {
			continue
		}
		_, err := Parse([]byte(v.Input))
		var e *Error
		if !errors.As(err, &e) {
			t.Error(v.Input, "was read")
		} else if strings.TrimSpace(v.Input) == v.Input && !strings.HasPrefix(v.Input, "counting_") &&
			(e.SQLState != v.Error.Code || e.Message != v.Error.Message || e.Detail != v.Error.Detail) {
			t.Error(v.Input, "is refused otherwise:", e.SQLState, e.Message, e.Detail)
		}
	}
	f := must[*Filter](t)(New(10, 0.01, 0))
	for value, code := range map[any]string{"a\x00": "22021", "\xff": "22021", struct{}{}: "42804", uint64(1): "42804",
		time.Unix(0, 1): "22008", time.Date(300000, 1, 1, 0, 0, 0, 0, time.UTC): "22008"} {
		var e *Error
		if err := f.Add(value); !errors.As(err, &e) || e.SQLState != code {
			t.Error(value, err)
		}
	}
	var e *Error
	if _, err := New(0.01, 1000, 0); !errors.As(err, &e) || !strings.HasPrefix(e.Hint, "The number of values comes first") {
		t.Error("a rate before the number:", err)
	}
	if err := f.Add("1"); err != nil {
		t.Error(err)
	}
	if found, err := f.Has(1); found || !errors.As(err, &e) || e.SQLState != "42804" || e.Hint != "Cast the value to text." {
		t.Error("a number in a filter of text:", found, err)
	}
	f.Close()
	f.Close()
	if _, err := f.Has("1"); err != errClosed {
		t.Error("closed:", err)
	}
	if err := f.Unite(f); err != errClosed {
		t.Error("closed:", err)
	}
	f = must[*Filter](t)(New(10, 0.01, 0))
	// as a list of the filters that a loop scans has them
	copied := Filter{handle: f.handle}
	f.Close()
	if _, err := copied.Has("1"); err != errClosed {
		t.Error("closed by another copy:", err)
	}
	if err := copied.Add("1"); err != errClosed {
		t.Error("closed by another copy:", err)
	}
	if err := copied.Unite(&copied); err != errClosed {
		t.Error("closed by another copy:", err)
	}
	if value, err := (*Filter)(nil).Value(); value != nil || err != nil {
		t.Error("nil:", value, err)
	}
}

func TestMany(t *testing.T) {
	values := make([]int64, 1000)
	words := make([]string, 1000)
	for i := range values {
		values[i] = int64(i) * 7919
		words[i] = "wörd " + strconv.Itoa(i)
	}
	ints, texts := must[*Filter](t)(New(1000, 0.01, 0)), must[*Filter](t)(New(1000, 0.01, 0))
	for _, err := range []error{ints.AddInts(nil), ints.AddInts(values), texts.AddStrings(nil), texts.AddStrings(words)} {
		if err != nil {
			t.Error(err)
		}
	}
	values[0] = -1
	found := must[[]bool](t)(ints.HasInts(values))
	for i, value := range values {
		if found[i] != must[bool](t)(ints.Has(value)) || (i > 0 && !found[i]) {
			t.Error(value, found[i])
		}
		if !must[bool](t)(texts.Has(words[i])) {
			t.Error(words[i])
		}
	}
	if len(must[[]bool](t)(ints.HasInts(nil))) != 0 || texts.AddInts(values) == nil || ints.AddStrings(words) == nil {
		t.Error("empty, or of the wrong type")
	}
}

// Slices of what has pointers besides, which cgo lets nobody pass.
func TestParts(t *testing.T) {
	f := must[*Filter](t)(New(10, 0.01, 0))
	empty := must[[]byte](t)(f.Bytes())
	row := &struct {
		name    *string
		digest  [4]byte
		numbers [2]int64
		filter  [200]byte
	}{name: new(string)}
	copy(row.filter[:], empty)
	read := must[*Filter](t)(Parse(row.filter[:len(empty)]))
	if err := read.AddInts(row.numbers[:]); err != nil || !must[[]bool](t)(read.HasInts(row.numbers[:]))[1] {
		t.Error(err)
	}
	if err := f.Add(row.digest[:]); err != nil || !must[bool](t)(f.Has(row.digest[:])) {
		t.Error(err)
	}
}

// Parts of a job, each with its own filter, united in one, which others read.
func TestGoroutines(t *testing.T) {
	whole, expected := must[*Filter](t)(New(4000, 0.01, 0)), must[*Filter](t)(New(4000, 0.01, 0))
	var group sync.WaitGroup
	for part := 0; part < 8; part++ {
		group.Add(1)
		go func(part int) {
			defer group.Done()
			f, err := New(4000, 0.01, 0)
			for i := part; i < 4000 && err == nil; i += 8 {
				err = f.Add(i)
			}
			if err == nil {
				err = whole.Unite(f)
			}
			if err == nil {
				_, err = whole.Text()
			}
			if found, err2 := whole.Has(part); err != nil || err2 != nil || !found {
				t.Error(err, err2, found)
			}
		}(part)
	}
	group.Wait()
	for i := 0; i < 4000; i++ {
		if err := expected.Add(i); err != nil {
			t.Error(err)
		}
	}
	if must[string](t)(whole.Text()) != must[string](t)(expected.Text()) {
		t.Error("the union is not the filter of all")
	}
}

func TestSQL(t *testing.T) {
	f := must[*Filter](t)(New(10, 0.01, 0))
	if err := f.Add("Zürich"); err != nil {
		t.Error(err)
	}
	value, err := f.Value()
	if err != nil {
		t.Error(err)
	}
	// within a row
	row := struct {
		id   int
		read Filter
	}{}
	read := &row.read
	if _, err := read.Has("Zürich"); err != errClosed {
		t.Error(err)
	}
	if err := read.Scan(value); err != nil || !must[bool](t)(read.Has("Zürich")) {
		t.Error(err)
	}
	if err := read.Scan(must[[]byte](t)(f.Bytes())); err != nil || !must[bool](t)(read.Has("Zürich")) {
		t.Error(err)
	}
	if read.Scan(nil) == nil || read.Scan(42) == nil || read.Scan("nonsense") == nil || !must[bool](t)(read.Has("Zürich")) {
		t.Error("what is no filter was scanned")
	}
}
