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

step() {
	say ""
	say "== $* =="
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

# suite NAME COMMAND...: a command that reports checks of its own.  One that
# fails without saying where, or that checks nothing, is itself a failed check.
suite() {
	local name=$1 log=$WORK/suite.log status=0 passed failed
	shift
	"$@" </dev/null 2>&1 | tee "$log" || status=$?
	passed=$(grep -E "$OK" "$log" | grep -vci "$SKIPPED" || true)
	failed=$(grep -cE "$NOT_OK" "$log" || true)
	if [ "$failed" -eq 0 ] && { [ "$status" -ne 0 ] || [ "$passed" -eq 0 ]; }; then
		say "not ok - $name: exit status $status after $passed checks"
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

# run_tap DIRECTORY: the TAP tests of the extension that was built there.  They
# start servers of their own.
run_tap() {
	local directory=$1 file

	extension_settings >"$WORK/tap.conf"
	export TEMP_CONFIG=$WORK/tap.conf
	for file in "$WORK"/source/t/*.pl; do
		[ -e "$file" ] || continue
		file=${file#"$WORK/source/"}
		step "$file"
		suite "$file" pgxs "$directory" installcheck REGRESS= ISOLATION= TAP_TESTS=1 \
			PROVE_TESTS="$file" PROVE_FLAGS=--verbose ||
			show_ends "$directory"/tmp_check/log/*
	done
}

# The last line, and the exit status.
say_total() {
	say ""
	say "$PASSED passed, $FAILED failed"
	[ "$FAILED" -eq 0 ] && [ "$PASSED" -gt 0 ]
}
