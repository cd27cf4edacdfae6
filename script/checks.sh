# shellcheck shell=bash
#
# script/checks.sh: how checks are counted, for the scripts that end with
# "N passed, M failed".  Sourced after script/lib.sh.

PASSED=0
FAILED=0

# How checks report: "ok 1 - name", "not ok 2 - name" and "ok 3 # SKIP reason",
# as in TAP; pg_regress up to 15 has "test name ... ok" or, in a parallel group,
# "     name ... ok".
OK='^(ok |(test)? +[^ ]+ +\.\.\. ok )'
NOT_OK='^(not ok |.* \.\.\. FAILED )'
SKIPPED='# skip'

# With the seconds so far: a run of everything is to take less than 15 minutes.
step() {
	say ""
	say "== $* ($SECONDS s) =="
}

# check NAME COMMAND...: one check, quiet unless it fails
check() {
	local name=$1
	shift
	if run "$WORK/check.log" "$@"; then
		PASSED=$((PASSED + 1))
		say "ok - $name"
	else
		FAILED=$((FAILED + 1))
		say "not ok - $name"
	fi
}

# suite NAME COMMAND...: a command that reports checks of its own.
suite() {
	local name=$1 log=$WORK/suite.log status=0
	shift
	"$@" </dev/null 2>&1 | tee "$log" || status=$?
	count_checks "$name" "$log" "$status"
}

# A suite takes minutes at most, also on a machine several times slower than
# those where it was measured: one that takes longer will never end.
SUITE_LIMIT=${SUITE_LIMIT:-900}

# limited COMMAND...: as the server's user, ended after SUITE_LIMIT seconds with
# all that it started
limited() {
	as_server timeout --kill-after=10 "$SUITE_LIMIT" "$@"
}

# count_checks NAME LOG STATUS: the checks that a command reported, and its exit
# status.  One that fails without saying where, or that has no checks, is itself
# a failed check.
count_checks() {
	local name=$1 log=$2 status=$3 all passed failed

	all=$(grep -cE "$OK" "$log" || true)
	passed=$(grep -E "$OK" "$log" | grep -vci "$SKIPPED" || true)
	failed=$(grep -cE "$NOT_OK" "$log" || true)
	if [ "$failed" -eq 0 ] && { [ "$status" -ne 0 ] || [ "$all" -eq 0 ]; }; then
		say "not ok - $name: exit status $status after $all checks"
		failed=1
	fi
	PASSED=$((PASSED + passed))
	FAILED=$((FAILED + failed))
	[ "$failed" -eq 0 ]
}

# show_ends FILE...: of those that exist
show_ends() {
	local file

	for file in "$@"; do
		[ -s "$file" ] || continue
		say "--- the end of ${file##*/}:"
		tail -n 50 "$file"
	done
}

# The tests of sql/, specs/ and t/ to run are those in $TESTS, by the names of
# their files without an ending, or else all; and not those in $LEFT_OUT.
TESTS=${TESTS:-}
LEFT_OUT=

is_chosen() {
	[[ " $LEFT_OUT " != *" $1 "* ]] && [[ -z $TESTS || " $TESTS " = *" $1 "* ]]
}

check_chosen() {
	local name

	for name in $TESTS; do
		[ -e "$ROOT/sql/$name.sql" ] || [ -e "$ROOT/specs/$name.spec" ] ||
			[ -e "$ROOT/t/$name.pl" ] || die "there is no test $name"
	done
}

# chosen_of DIRECTORY VARIABLE: of the tests that this variable of the Makefile
# names
chosen_of() {
	local name

	# shellcheck disable=SC2016 # make's variable
	for name in $(pgxs "$1" --eval="chosen_of: ; @echo \$($2)" chosen_of); do
		if is_chosen "$name"; then
			printf '%s ' "$name"
		fi
	done
	say
}

# regress NAME DIRECTORY [ARGUMENT...]: what make installcheck runs for the
# extension that was built in DIRECTORY, but for the TAP tests
regress() {
	local name=$1 directory=$2 diffs
	shift 2
	step "$name"
	if ! suite "$name" pgxs "$directory" installcheck TAP_TESTS= "$@"; then
		for diffs in "$directory"/regression.diffs "$directory"/output_iso/regression.diffs; do
			[ ! -s "$diffs" ] || cat "$diffs"
		done
		show_ends "$WORK/server.log"
	fi
}

# suites JOBS COMMAND ITEM...: the command with every item, so many at a time,
# each a suite.  What it prints is shown when it is done.
suites() {
	local jobs=$1 log
	SUITE_COMMAND=$2
	shift 2

	mkdir -p "$WORK/suites"
	in_parallel "$jobs" run_suite "$@"
	for log in "${@/#/"$WORK/suites/"}"; do
		count_checks "${log##*/}" "$log" "$(cat "$log.status" 2>/dev/null || say unknown)" || true
	done
}

run_suite() {
	local log=$WORK/suites/$1 status=0

	"$SUITE_COMMAND" "$1" >"$log" 2>&1 </dev/null || status=$?
	say "$status" >"$log.status"
	cat "$log"
}

# regress_in NAME DIRECTORY: the chosen regression and isolation tests
regress_in() {
	local name=$1 directory=$2 tests

	tests=$(chosen_of "$directory" REGRESS)
	[ -z "$tests" ] || regress "Regression tests$name" "$directory" REGRESS="$tests" ISOLATION=
	tests=$(chosen_of "$directory" ISOLATION)
	[ -z "$tests" ] || regress "Isolation tests$name" "$directory" REGRESS= ISOLATION="$tests"
}

# The chosen TAP tests.  They start servers of their own, for which they wait
# most of the time: so some run at once.  The last take longest, and begin first.
run_tap() {
	local file tests=()

	for file in "$WORK"/source/t/*.pl; do
		file=$(basename "$file" .pl)
		if is_chosen "$file"; then
			tests=("$file" "${tests[@]}")
		fi
	done
	[ ${#tests[@]} -gt 0 ] || return 0
	step "TAP tests"
	{
		extension_settings
		say "jit = off"
	} >"$WORK/tap.conf"
	export TEMP_CONFIG=$WORK/tap.conf
	copy_initdb
	suites $((2 * $(nproc))) tap "${tests[@]}"
}

# In $WORK/bin, the server's programs and an initdb that copies: every test makes
# a server, which takes two seconds of a processor.  From PostgreSQL 17 on,
# PostgreSQL::Test does so by itself, given this variable.
copy_initdb() {
	export INITDB_TEMPLATE=$WORK/template

	as_server mkdir "$WORK/bin"
	as_server ln -s "$BINDIR"/* "$WORK/bin"
	as_server rm "$WORK/bin/initdb"
	cat >"$WORK/bin/initdb" <<-EOF
		#!/bin/bash
		if [ "\$1 \${*:3}" = "-D -A trust -N" ]; then
			exec cp -a "$INITDB_TEMPLATE" "\$2"
		fi
		exec "$BINDIR/initdb" "\$@"
	EOF
	chmod a+rx "$WORK/bin/initdb"
	run "$WORK/initdb.log" as_server "$BINDIR/initdb" -D "$INITDB_TEMPLATE" -A trust -N ||
		die "initdb failed"
}

# tap NAME: one of them, from a directory of its own
tap() {
	local directory=$WORK/tap/$1

	as_server mkdir -p "$directory"
	if ! pgxs "$directory" installcheck REGRESS= ISOLATION= TAP_TESTS=1 bindir="$WORK/bin" \
		PROVE_TESTS="t/$1.pl" PROVE_FLAGS=--verbose; then
		show_ends "$directory"/tmp_check/log/*
		return 1
	fi
}

# The last line, and the exit status.
say_total() {
	say ""
	say "$PASSED passed, $FAILED failed"
	[ "$FAILED" -eq 0 ] && [ "$PASSED" -gt 0 ]
}
