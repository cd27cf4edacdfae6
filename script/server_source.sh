# shellcheck shell=bash
#
# script/server_source.sh: Debian's source of the server.  Sourced after
# script/lib.sh.

# The machine's own lists of sources stay as they are.
source_lists() {
	# shellcheck disable=SC2016 # apt-get's variables
	apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' \
		'Created-By: Packages' 'Origin: Debian' | sort -u
}

apt_sources() {
	local command=$1
	shift
	"$command" -q -o Dir::Etc::SourceList="$WORK/sources.list" \
		-o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists="$WORK/lists" "$@"
}

# try_source MAJOR [OPTION...]: the source package of postgresql-MAJOR, to $WORK;
# sets SOURCE_VERSION.  The options are apt-get source's.  An update may be
# announced before its source can be had: the newest version that can be, then.
try_source() {
	local package=postgresql-$1 version
	shift

	# a system that was just made has no lists
	[ -n "$(source_lists)" ] || update_package_lists
	source_lists >"$WORK/sources.list"
	mkdir -p "$WORK/lists/partial"
	run "$WORK/apt.log" apt_sources apt-get update || die "apt-get update failed"
	for version in $(apt_sources apt-cache showsrc "$package" |
		sed -n 's/^Version: //p' | sort -ruV); do
		if (cd "$WORK" && apt_sources apt-get source --download-only "$@" \
			"$package=$version") >"$WORK/apt.log" 2>&1; then
			# shellcheck disable=SC2034 # for those who source this
			SOURCE_VERSION=$version
			return 0
		fi
		say "The source of $version cannot be had"
	done
	return 1
}

# fetch_source [OPTION...]: that of the major in use
fetch_source() {
	try_source "$PG_MAJOR" "$@" && return
	cat "$WORK/apt.log"
	die "no source of postgresql-$PG_MAJOR can be had"
}
