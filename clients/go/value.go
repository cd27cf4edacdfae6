package pgbloomfilter

// #include <pgbloomfilter.h>
import "C"

import (
	"fmt"
	"time"
	"unsafe"
)

// BPChar is a char(n), whose trailing blanks do not count.
type BPChar string

// UUID is a uuid. Types that other packages have for it can be converted.
type UUID [16]byte

// Date is a date, in days since 2000-01-01.
type Date int32

// OID is an oid.
type OID uint32

// In Unix time: 2000-01-01, and what lies beyond PostgreSQL's range.
const (
	seconds2000  = 946684800
	firstSeconds = -211813488000 + seconds2000
	endSeconds   = 9223371331200 + seconds2000
)

// passed is a value as it is passed to C.
type passed struct {
	family C.pgbf_family
	number C.int64_t
	float  C.double
	bytes  []byte
	way    way
}

type way int

const (
	asNumber way = iota
	asFloat
	asBytes
)

// pass says which type of PostgreSQL's a value of Go's has.
func pass(value any) (passed, error) {
	switch v := value.(type) {
	case int:
		return number(C.PGBF_INTEGER, int64(v)), nil
	case int64:
		return number(C.PGBF_INTEGER, v), nil
	case int32:
		return number(C.PGBF_INTEGER, int64(v)), nil
	case int16:
		return number(C.PGBF_INTEGER, int64(v)), nil
	case bool:
		if v {
			return number(C.PGBF_BOOLEAN, 1), nil
		}
		return number(C.PGBF_BOOLEAN, 0), nil
	case Date:
		return number(C.PGBF_DATE, int64(v)), nil
	case OID:
		return number(C.PGBF_OID, int64(v)), nil
	case time.Time:
		return passTime(v)
	case float64:
		return passed{family: C.PGBF_FLOAT, float: C.double(v), way: asFloat}, nil
	case float32:
		return passed{family: C.PGBF_FLOAT, float: C.double(v), way: asFloat}, nil
	case string:
		return passed{family: C.PGBF_TEXT, bytes: []byte(v), way: asBytes}, nil
	case BPChar:
		return passed{family: C.PGBF_BPCHAR, bytes: []byte(v), way: asBytes}, nil
	case []byte:
		return passed{family: C.PGBF_BYTEA, bytes: v, way: asBytes}, nil
	case UUID:
		return passed{family: C.PGBF_UUID, bytes: v[:], way: asBytes}, nil
	}
	return passed{}, &Error{SQLState: C.PGBF_ERROR_MISMATCH,
		Message: fmt.Sprintf("values of Go's type %T have no type in PostgreSQL", value)}
}

func number(family C.pgbf_family, value int64) passed {
	return passed{family: family, number: C.int64_t(value)}
}

// passTime gives a timestamptz. A time that PostgreSQL cannot hold would be
// rounded when it is stored, and have another hash than the stored one.
func passTime(t time.Time) (passed, error) {
	if t.Nanosecond()%1000 != 0 {
		return passed{}, &Error{SQLState: C.PGBF_ERROR_TIME,
			Message: "no timestamp has fractions of a microsecond",
			Hint:    "Round the value to microseconds, as it was when it was stored."}
	}
	if t.Unix() < firstSeconds || t.Unix() >= endSeconds {
		return passed{}, &Error{SQLState: C.PGBF_ERROR_TIME, Message: "timestamp out of range"}
	}
	return number(C.PGBF_TIMESTAMPTZ, (t.Unix()-seconds2000)*1000000+int64(t.Nanosecond()/1000)), nil
}

func (p *passed) add(f *C.pgbf_filter, e *C.pgbf_error) bool {
	switch p.way {
	case asNumber:
		return bool(C.pgbf_add_number(f, p.family, p.number, e))
	case asFloat:
		return bool(C.pgbf_add_float(f, p.float, e))
	}
	bytes := pointable(p.bytes)
	return bool(C.pgbf_add_bytes(f, p.family, unsafe.Pointer(&bytes[0]), C.size_t(len(p.bytes)), e))
}

func (p *passed) has(f *C.pgbf_filter, e *C.pgbf_error) C.int {
	switch p.way {
	case asNumber:
		return C.pgbf_has_number(f, p.family, p.number, e)
	case asFloat:
		return C.pgbf_has_float(f, p.float, e)
	}
	bytes := pointable(p.bytes)
	return C.pgbf_has_bytes(f, p.family, unsafe.Pointer(&bytes[0]), C.size_t(len(p.bytes)), e)
}

// pointable gives the values, or another slice if there are none. Its first one is to be
// pointed to in the call of C itself: then cgo looks for pointers in the slice, else in
// all of what that is a part of.
func pointable[T any](values []T) []T {
	if len(values) == 0 {
		return make([]T, 1)
	}
	return values
}
