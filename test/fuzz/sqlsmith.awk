# test/fuzz/sqlsmith.awk: what a server's log tells about a run of sqlsmith.
#
# The log has log_statement = all, log_error_verbosity = verbose and
# log_line_prefix = '%e|', so that every entry starts with an SQLSTATE and goes
# on with tabs.  sqlsmith sends each query after a BEGIN; before the first one
# it reads the catalogs.  "functions" lists the names to look for, "sources" our
# files.
#
# Prints a summary, and a line "not ok" for everything that must not happen.

BEGIN {
	total = split(functions, names, ",")
}

function bad(what) {
	print "not ok - " what
	failures++
}

# The query that has just ended: which of the functions are in it?
function end_query(    i, mentions) {
	if (query == "")
		return
	queries++
	for (i = 1; i <= total; i++)
		if (index(query, names[i] "(") > 0) {
			mentions = 1
			used[names[i]] = 1
		}
	if (query ~ / (@>|<@|\||&) /)
		operators++
	mentioning += mentions
	query = ""
}

/^[0-9A-Z][0-9A-Z][0-9A-Z][0-9A-Z][0-9A-Z]\|/ {
	in_query = 0
	sqlstate = substr($0, 1, 5)
}

/^.....\|LOG: .*statement: / {
	end_query()
	statement = $0
	sub(/^.*statement: /, "", statement)
	in_query = after_begin
	query = in_query ? statement : ""
	after_begin = statement ~ /^BEGIN;/
	next
}

in_query {
	query = query " " $0
	next
}

/^.....\|ERROR: / {
	errors++
	message = $0
	sub(/^.....\|ERROR: +...../, "", message)
	internal = sqlstate ~ /^XX/
	seen[sqlstate]++
}

# Where an error of the class "internal" was raised: in our sources it must
# not be; in the server's it may be, and is for the reader to judge.
internal && /^.....\|LOCATION: / {
	source = $NF
	sub(/:[0-9]*$/, "", source)
	if (index(sources, "," source ","))
		bad("internal error" message)
	else
		print "# internal error of the server" message " (" $NF ")"
	internal = 0
}

/\|PANIC: |terminated by signal|TRAP: |server process .* exited/ {
	bad(substr($0, 7))
}

END {
	end_query()
	for (i = 1; i <= total; i++)
		distinct += names[i] in used
	for (sqlstate in seen)
		states = states " " sqlstate " " seen[sqlstate]
	print "# errors by SQLSTATE:" states
	if (distinct < total) {
		for (i = 1; i <= total; i++)
			if (!(names[i] in used))
				unused = unused " " names[i]
		print "# not called:" unused
	}
	if (queries < wanted)
		bad("only " queries " of " wanted " queries were run")
	if (mentioning == 0)
		bad("no query calls a function of the extension")
	printf "%s - sqlsmith: %d queries, %d with errors, %d calling one of the extension's functions (%d of %d called)\n", \
		failures ? "not ok" : "ok", queries, errors, mentioning, distinct, total
	exit failures > 0
}
