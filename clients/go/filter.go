// Package pgbloomfilter builds, reads and tests filters of the PostgreSQL
// extension bloomfilter. It calls libpgbloomfilter, the extension's own code.
package pgbloomfilter

// #cgo pkg-config: pgbloomfilter
// #include <pgbloomfilter.h>
import "C"

import (
	"database/sql/driver"
	"fmt"
	"runtime"
	"sync"
	"unsafe"
)

// Filter is a bloomfilter. Any number of goroutines may use it at a time. A zero
// Filter is closed, and can be scanned.
type Filter struct {
	// held for reading by what takes a const filter in C, else for writing
	mutex sync.RWMutex
	*handle
}

// handle has the finalizer, for which it must be allocated by itself: a Filter may
// be a part of something.
type handle struct {
	c *C.pgbf_filter
}

// isClosed: a Filter that was copied shares what the other one may have closed.
func (f *Filter) isClosed() bool {
	return f.handle == nil || f.handle.c == nil
}

func (h *handle) free() {
	C.pgbf_free(h.c)
	h.c = nil
}

// Error has what the server has for the same error.
type Error struct {
	SQLState, Message, Detail, Hint string
}

func (e *Error) Error() string {
	return e.Message
}

var errClosed = &Error{SQLState: C.PGBF_ERROR_PARAMETER, Message: "the filter is closed"}

func newError(e *C.pgbf_error) *Error {
	return &Error{C.GoString(&e.sqlstate[0]), C.GoString(&e.message[0]),
		C.GoString(&e.detail[0]), C.GoString(&e.hint[0])}
}

// attempt makes the call without an error's memory, which is 5 kB, and, as a
// call that fails leaves the filter as it was, again with it if it fails.
func attempt(call func(e *C.pgbf_error) bool) error {
	if call(nil) {
		return nil
	}
	var e C.pgbf_error
	if call(&e) {
		return nil
	}
	return newError(&e)
}

// makeFilter wraps what a function of C makes, and frees it when it is not used any more.
func makeFilter(call func(e *C.pgbf_error) *C.pgbf_filter) (*Filter, error) {
	h := new(handle)
	err := attempt(func(e *C.pgbf_error) bool {
		h.c = call(e)
		return h.c != nil
	})
	if err != nil {
		return nil, err
	}
	runtime.SetFinalizer(h, (*handle).free)
	return &Filter{handle: h}, nil
}

// New makes an empty filter for so many distinct values, at that false positive
// rate: 0.01 is 1 %. Filters with the same arguments can be united.
func New(expectedItems, rate float64, seed int64) (*Filter, error) {
	return makeFilter(func(e *C.pgbf_error) *C.pgbf_filter {
		return C.pgbf_create(C.double(expectedItems), C.double(rate), C.int64_t(seed), e)
	})
}

// Parse reads a filter in any form: text, binary, hexadecimal, base64.
func Parse(input []byte) (*Filter, error) {
	return makeFilter(func(e *C.pgbf_error) *C.pgbf_filter {
		bytes := pointable(input)
		return C.pgbf_parse(unsafe.Pointer(&bytes[0]), C.size_t(len(input)), e)
	})
}

// Close frees the filter's memory at once. Without it the garbage collector does,
// which knows only of a few bytes of each filter.
func (f *Filter) Close() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.handle != nil {
		runtime.SetFinalizer(f.handle, nil)
		f.free()
		f.handle = nil
	}
}

// read calls what leaves the filter as it is, down to its memory.
func (f *Filter) read(call func(e *C.pgbf_error) bool) error {
	f.mutex.RLock()
	defer f.mutex.RUnlock()
	if f.isClosed() {
		return errClosed
	}
	return attempt(call)
}

// write calls anything else.
func (f *Filter) write(call func(e *C.pgbf_error) bool) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.isClosed() {
		return errClosed
	}
	return attempt(call)
}

// Add adds a value.
func (f *Filter) Add(value any) error {
	p, err := pass(value)
	if err != nil {
		return err
	}
	return f.write(func(e *C.pgbf_error) bool { return p.add(f.c, e) })
}

// Has tells whether the value is in the filter: false is certain, true is not.
func (f *Filter) Has(value any) (bool, error) {
	p, err := pass(value)
	if err != nil {
		return false, err
	}
	var answer C.int
	err = f.read(func(e *C.pgbf_error) bool {
		answer = p.has(f.c, e)
		return answer >= 0
	})
	return answer == 1, err
}

// AddInts adds many values, faster than one by one. If it fails, some of them may
// have been added.
func (f *Filter) AddInts(values []int64) error {
	return f.write(func(e *C.pgbf_error) bool {
		ints := pointable(values)
		return bool(C.pgbf_add_number_array(f.c, C.PGBF_INTEGER, (*C.int64_t)(unsafe.Pointer(&ints[0])),
			C.size_t(len(values)), e))
	})
}

// HasInts tests many values, faster than one by one.
func (f *Filter) HasInts(values []int64) ([]bool, error) {
	found := make([]bool, len(values))
	err := f.read(func(e *C.pgbf_error) bool {
		ints, answers := pointable(values), pointable(found)
		// a bool of Go's is one byte, 0 or 1
		return C.pgbf_has_number_array(f.c, C.PGBF_INTEGER, (*C.int64_t)(unsafe.Pointer(&ints[0])),
			C.size_t(len(values)), (*C.uint8_t)(unsafe.Pointer(&answers[0])), e) >= 0
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// AddStrings adds many values, as AddInts does.
func (f *Filter) AddStrings(values []string) error {
	var bytes []byte
	offsets := make([]int64, len(values)+1)
	for i, value := range values {
		bytes = append(bytes, value...)
		offsets[i+1] = int64(len(bytes))
	}
	return f.write(func(e *C.pgbf_error) bool {
		all := pointable(bytes)
		return bool(C.pgbf_add_bytes_array(f.c, C.PGBF_TEXT, unsafe.Pointer(&all[0]),
			(*C.int64_t)(unsafe.Pointer(&offsets[0])), C.size_t(len(values)), e))
	})
}

// Unite adds all values of another filter, which was made with the same arguments.
func (f *Filter) Unite(other *Filter) error {
	copy, err := other.copy()
	if err != nil {
		return err
	}
	// nobody else knows the copy, so only one filter is locked at a time
	defer copy.Close()
	return f.write(func(e *C.pgbf_error) bool { return bool(C.pgbf_unite(f.c, copy.c, e)) })
}

func (f *Filter) copy() (*Filter, error) {
	f.mutex.RLock()
	defer f.mutex.RUnlock()
	if f.isClosed() {
		return nil, errClosed
	}
	return makeFilter(func(e *C.pgbf_error) *C.pgbf_filter { return C.pgbf_copy(f.c, e) })
}

// Bytes gives the binary form, which PostgreSQL casts from bytea.
func (f *Filter) Bytes() ([]byte, error) {
	var result []byte
	err := f.read(func(e *C.pgbf_error) bool {
		var length C.size_t
		bytes := C.pgbf_to_bytes(f.c, &length, e)
		if bytes != nil {
			result = append(result, unsafe.Slice((*byte)(bytes), int(length))...)
			C.pgbf_release(bytes)
		}
		return bytes != nil
	})
	return result, err
}

// Text gives the text form.
func (f *Filter) Text() (string, error) {
	var result string
	err := f.write(func(e *C.pgbf_error) bool {
		text := C.pgbf_to_text(f.c, nil, e)
		if text != nil {
			result = C.GoString(text)
			C.pgbf_release(unsafe.Pointer(text))
		}
		return text != nil
	})
	return result, err
}

// Value makes a filter a parameter of a query, a nil one NULL, and Scan reads one
// from a row: database/sql calls them.
func (f *Filter) Value() (driver.Value, error) {
	if f == nil {
		return nil, nil
	}
	return f.Text()
}

// Scan takes the place of what the filter was before.
func (f *Filter) Scan(source any) error {
	var input []byte
	switch source := source.(type) {
	case []byte:
		input = source
	case string:
		input = []byte(source)
	default:
		return &Error{SQLState: C.PGBF_ERROR_MISMATCH, Message: fmt.Sprintf("%T is no filter", source)}
	}
	read, err := Parse(input)
	if err != nil {
		return err
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.handle, read.handle = read.handle, f.handle
	read.Close()
	return nil
}
