# shellcheck shell=bash
#
# script/lib.sh: what the scripts beside it share.
#
# Sourced, not run.  Everything happens in one temporary directory, $WORK: a
# copy of the sources, the builds, the installed extension (make install with
# a DESTDIR) and the data directory of a throw-away server, which listens on a
# socket in there and nowhere else.  So the checkout may be read-only and stays
# as it is, nothing is installed beside Debian's packages, and PostgreSQL
# servers that already run on the machine are not touched.
#
# Root does nothing but install packages: the rest is done by the user
# "postgres" when the script runs as root, since a server refuses to run as
# root, and by the caller otherwise.
#
# PG_MAJOR chooses the major version of PostgreSQL: by default the newest one
# that is installed, or else the one that the distribution offers.

OLDEST_MAJOR=15
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
WORK=
PATH=$PATH:/usr/sbin:/sbin

say() {
	printf '%s\n' "$*"
}

die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# run LOG COMMAND...: quiet unless it fails
run() {
	local log=$1
	shift
	if ! "$@" >"$log" 2>&1 </dev/null; then
		cat "$log"
		return 1
	fi
}

# in_parallel JOBS COMMAND ITEM...: the command with every item, so many at a
# time; fails if one of them does.  Each is a process group of its own, which
# clean_up can end with all that it started.
in_parallel() {
	local jobs=$1 command=$2 running=0 status=0 item
	shift 2

	for item in "$@"; do
		if [ "$running" -eq "$jobs" ]; then
			wait -n || status=1
			running=$((running - 1))
		fi
		set -m
		"$command" "$item" &
		set +m
		running=$((running + 1))
	done
	for ((; running > 0; running--)); do
		wait -n || status=1
	done
	return "$status"
}

# end_parallel [SIGNAL]: ends them
# shellcheck disable=SC2120 # for scripts whose commands do not listen to TERM
end_parallel() {
	local group

	for group in $(jobs -pr); do
		if kill -s "${1:-TERM}" -- "-$group" 2>/dev/null; then
			wait "$group"
		fi
	done
}

#
# Packages
#

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	else
		sudo "$@"
	fi
}

apt_get() {
	as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get -q -y -o Acquire::Retries=3 -o Dpkg::Use-Pty=0 "$@"
}

is_installed() {
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

newest_installed_major() {
	local postgres major

	for postgres in /usr/lib/postgresql/*/bin/postgres; do
		major=${postgres#/usr/lib/postgresql/}
		major=${major%%/*}
		if [[ -x $postgres && $major =~ ^[0-9]+$ && $major -ge $OLDEST_MAJOR ]]; then
			say "$major"
		fi
	done | sort -n | tail -n 1
}

offered_major() {
	{ apt-cache depends postgresql 2>/dev/null || true; } |
		sed -n 's/^ *Depends: postgresql-\([0-9]\{1,\}\)$/\1/p'
}

# Sets PG_MAJOR.  A machine just unpacked knows no packages before an update.
choose_major() {
	PG_MAJOR=${PG_MAJOR:-$(newest_installed_major)}
	PG_MAJOR=${PG_MAJOR:-$(offered_major)}
	if [ -z "$PG_MAJOR" ]; then
		update_package_lists
		PG_MAJOR=$(offered_major)
	fi
	[ -n "$PG_MAJOR" ] || die "apt-get offers no PostgreSQL"
	[ "$PG_MAJOR" -ge "$OLDEST_MAJOR" ] ||
		die "PostgreSQL $OLDEST_MAJOR or newer is needed, not $PG_MAJOR"
}

LISTS_UPDATED=
update_package_lists() {
	[ -z "$LISTS_UPDATED" ] || return 0
	can_install
	say "Updating the package lists"
	run "$WORK/apt.log" apt_get update || die "apt-get update failed"
	LISTS_UPDATED=yes
}

can_install() {
	command -v apt-get >/dev/null || die "this needs apt-get (Debian, Ubuntu)"
	[ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null ||
		die "packages are missing${*:+: $*}; run this as root or install sudo"
}

# install_packages PACKAGE...: installs those that are missing, and no others:
# naming one that is there might upgrade and restart a server in use.
install_packages() {
	local package missing=()

	for package in "$@"; do
		is_installed "$package" || missing+=("$package")
	done
	[ ${#missing[@]} -gt 0 ] || return 0

	can_install "${missing[@]}"
	update_package_lists
	say "Installing ${missing[*]} (this may take a few minutes)"
	forbid_main_cluster
	run "$WORK/apt.log" apt_get install --no-install-recommends "${missing[@]}" ||
		die "apt-get install failed"
	allow_main_cluster
}

# Debian's server package creates and starts a cluster when it is first
# installed, unless told not to.  Existing clusters are left alone.
CLUSTER_CONF=/etc/postgresql-common/createcluster.d/zz-bloomfilter.conf
CLUSTER_CONF_MADE=

forbid_main_cluster() {
	CLUSTER_CONF_MADE=yes
	as_root mkdir -p "${CLUSTER_CONF%/*}"
	as_root sh -c "echo 'create_main_cluster = false' >$CLUSTER_CONF"
}

allow_main_cluster() {
	[ -n "$CLUSTER_CONF_MADE" ] || return 0
	as_root rm -f "$CLUSTER_CONF"
	as_root rmdir --ignore-fail-on-non-empty "${CLUSTER_CONF%/*}"
	CLUSTER_CONF_MADE=
}

#
# The temporary directory
#

# Not below TMPDIR: root's may be out of the server's reach, and the path of a
# socket must be short.
make_workdir() {
	WORK=$(mktemp -d /tmp/bloomfilter.XXXXXX)
	trap clean_up EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
}

clean_up() {
	set +e
	# shellcheck disable=SC2119 # the usual signal
	end_parallel
	stop_all_servers
	allow_main_cluster
	cd /
	rm -rf "$WORK"
}

# The rest is not root's work.
as_server() {
	if [ "$(id -u)" -eq 0 ]; then
		runuser -u postgres -- "$@"
	else
		"$@"
	fi
}

# Copies the sources to $WORK/source, without what a build in the checkout may
# have left.
copy_sources() {
	umask 022
	mkdir "$WORK/source"
	tar -C "$ROOT" -c --exclude=./.git --exclude='*.o' --exclude='*.bc' \
		--exclude='*.so' --exclude=node_modules --exclude=./results --exclude=./tmp_check --exclude=./output_iso . |
		tar -C "$WORK/source" -x --no-same-owner
	chmod -R u+w "$WORK/source"
	if [ "$(id -u)" -eq 0 ]; then
		chown -R postgres: "$WORK"
	fi
}

# From here on with the programs of PG_MAJOR, or those in $SERVER_BINDIR.
# Nothing of the caller's environment matters from here on: neither connection
# defaults nor the locale nor files in root's home.
enter_workdir() {
	local name

	for name in "${!PG@}" "${!LC_@}" LANGUAGE; do
		[ "$name" = PG_MAJOR ] || unset "$name"
	done
	export HOME=$WORK TMPDIR=$WORK LANG=C.UTF-8
	cd "$WORK" || die "cannot enter $WORK"
	BINDIR=${SERVER_BINDIR:-/usr/lib/postgresql/$PG_MAJOR/bin}
	PG_CONFIG=$BINDIR/pg_config
	PATH=$BINDIR:$PATH
	[ -x "$PG_CONFIG" ] || die "$PG_CONFIG is missing"
}

#
# The extension
#

# pgxs DIRECTORY [ARGUMENT...]: make, out of the tree.  PGXS finds VPATH by
# itself only if the server was built out of its tree, too.  With LIMIT, it is
# ended after so many seconds.
pgxs() {
	local directory=$1
	shift
	as_server ${LIMIT:+timeout --kill-after=10 "$LIMIT"} make -s -C "$directory" -f "$WORK/source/Makefile" \
		VPATH="$WORK/source" PG_CONFIG="$PG_CONFIG" with_llvm=no "$@"
}

# build DIRECTORY [ARGUMENT...]
build() {
	as_server mkdir -p "$1"
	pgxs "$@" all -j"$(nproc)"
}

# Can the server be told to find extensions elsewhere than in its own
# directories?  From 18 on it can, and with a patch of Debian's before.
finds_extensions() {
	grep -qE 'extension_(control_path|destdir)' "$("$PG_CONFIG" --sharedir)/postgresql.conf.sample"
}

# install_extension DIRECTORY: what was built there, to $WORK/install, or to
# the server's own directories if it does not look elsewhere
install_extension() {
	if finds_extensions; then
		pgxs "$1" install DESTDIR="$WORK/install"
	else
		pgxs "$1" install
	fi
}

# extension_directory: where the control files of what was installed are
extension_directory() {
	local directory

	directory=$("$PG_CONFIG" --sharedir)/extension
	! finds_extensions || directory=$WORK/install$directory
	say "$directory"
}

# The configuration by which a server finds the extension in $WORK/install.
extension_settings() {
	local sharedir pkglibdir
	sharedir=$("$PG_CONFIG" --sharedir)
	pkglibdir=$("$PG_CONFIG" --pkglibdir)

	finds_extensions || return 0
	if grep -q extension_control_path "$sharedir/postgresql.conf.sample"; then
		say "extension_control_path = '$WORK/install$sharedir:\$system'"
	else
		say "extension_destdir = '$WORK/install'"
	fi
	say "dynamic_library_path = '$WORK/install$pkglibdir:\$libdir'"
}

# prepare_extension PACKAGE...: all that it takes to start a server with the
# extension, and these packages
prepare_extension() {
	make_workdir
	choose_major
	install_packages build-essential libxxhash-dev \
		"postgresql-$PG_MAJOR" "postgresql-server-dev-$PG_MAJOR" "$@"
	copy_sources
	enter_workdir
	run "$WORK/build.log" build "$WORK/build" || die "the extension did not compile"
	run "$WORK/build.log" install_extension "$WORK/build" || die "make install failed"
}

# describe_commit PATHSPEC...: what is being measured; the paths are of what
# measures it
describe_commit() {
	local git=(git -c "safe.directory=$ROOT" -C "$ROOT") hash

	hash=$("${git[@]}" rev-parse --short=12 HEAD 2>/dev/null) || {
		say unknown
		return
	}
	if [ -n "$("${git[@]}" status --porcelain -- src Makefile '*.sql' "$@" 2>/dev/null)" ]; then
		hash="$hash, with changes"
	fi
	say "$hash"
}

#
# The server
#

# start_server [SETTING...]: and points libpq's environment to it.  The program
# that runs is $POSTGRES, or else the server itself.
start_server() {
	export PGHOST=$WORK PGPORT=5432 PGUSER=postgres PGDATABASE=postgres

	rm -rf "$WORK/data"
	run "$WORK/initdb.log" as_server "$BINDIR/initdb" -D "$WORK/data" \
		-U "$PGUSER" -A trust -E UTF8 --locale=C.UTF-8 --no-sync ||
		die "initdb failed"
	{
		extension_settings
		say "listen_addresses = ''"
		say "unix_socket_directories = '$WORK'"
		say "fsync = off"
		[ $# -eq 0 ] || printf '%s\n' "$@"
	} | as_server tee -a "$WORK/data/postgresql.conf" >"$WORK/settings"

	if ! as_server "$BINDIR/pg_ctl" -s -w -D "$WORK/data" -l "$WORK/server.log" \
		-p "${POSTGRES:-$BINDIR/postgres}" start; then
		cat "$WORK/server.log"
		die "the server did not start"
	fi
}

# stop_server [DATA_DIRECTORY]
stop_server() {
	local data=${1:-$WORK/data}

	[ -f "$data/postmaster.pid" ] || return 0
	as_server "$BINDIR/pg_ctl" -s -D "$data" -m immediate stop
}

# Those of tests that were interrupted, too.
stop_all_servers() {
	local file

	find "$WORK" -name postmaster.pid 2>/dev/null | while read -r file; do
		stop_server "${file%/*}"
	done
}
