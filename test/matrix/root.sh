# shellcheck shell=bash
#
# test/matrix/root.sh: the root directory in which script/test-matrix works.
#
# Sourced, not run, after script/lib.sh.  A Debian of its own, made by
# mmdebstrap, in which several majors of PostgreSQL are installed side by side.
# Debian keeps each major in the suite of one release, and a newer suite takes
# packages of older ones: so the base is the newest suite, and the pins hold
# what the other suites offer down to what is not to be had in the base.
#
# mmdebstrap and what runs inside have their own processes, IPC and mounts, all
# of which the kernel removes with the first process, however that ends.  Nothing
# is ever mounted outside, so the directory can always be removed.  The network
# is shared: a missing package may be installed from inside.

BASE_SUITE=forky
OLDER_SUITES=(trixie bookworm)
PRERELEASE_SUITE=experimental
PRERELEASE_MAJOR=19

MIRROR=http://deb.debian.org/debian
SOURCES_INSIDE=/srv/bloomfilter

# One line per package, so that a difference shows.
ROOT_PACKAGES=(
	build-essential
	clang
	debhelper
	fakeroot
	git
	libclang-rt-dev
	libipc-run-perl
	libxxhash-dev
	lintian
	postgresql-all
	postgresql-server-dev-all
	python3
	python3-jsonschema
	python3-xxhash
	unzip
)

# pin SUITE PRIORITY [PACKAGES]
pin() {
	printf 'Package: %s\nPin: release n=%s\nPin-Priority: %s\n\n' "${3:-*}" "$1" "$2"
}

# asks_for_prerelease MAJOR...
asks_for_prerelease() {
	[[ " $* " = *" $PRERELEASE_MAJOR "* ]]
}

# pins MAJOR...: the client library is one for all majors, the newest's
pins() {
	local suite priority=99

	for suite in "${OLDER_SUITES[@]}"; do
		priority=$((priority - 1))
		pin "$suite" "$priority"
	done
	if asks_for_prerelease "$@"; then
		pin rc-buggy 990 "/^postgresql-((client|server-dev)-)?$PRERELEASE_MAJOR\$/ /^lib(pq|ecpg|pgtypes)/"
	fi
}

# suites MAJOR...: lines for sources.list
suites() {
	local suite

	for suite in "$BASE_SUITE" "${OLDER_SUITES[@]}"; do
		say "deb $MIRROR $suite main"
	done
	if asks_for_prerelease "$@"; then
		say "deb $MIRROR $PRERELEASE_SUITE main"
	fi
}

# root_packages MAJOR...: separated by commas
root_packages() {
	local major packages=("${ROOT_PACKAGES[@]}") IFS=,

	for major in "$@"; do
		packages+=("postgresql-$major" "postgresql-server-dev-$major")
	done
	say "${packages[*]}"
}

# What make_root and inside become, so that killing the process kills all.
ALONE=(unshare --mount --pid --ipc --fork --kill-child)

# make_root DIRECTORY MAJOR...: becomes mmdebstrap, so call it in a subshell.
# Packages of PostgreSQL create and start a cluster when they are installed,
# unless told not to.
make_root() {
	local directory=$1 files=$WORK/root-files lines=()
	shift
	mkdir -p "$files/postgresql-common" "$files/apt/preferences.d"
	say "create_main_cluster = false" >"$files/postgresql-common/createcluster.conf"
	pins "$@" >"$files/apt/preferences.d/suites"
	mapfile -t lines < <(suites "$@")

	exec "${ALONE[@]}" --mount-proc mmdebstrap --quiet --variant=apt \
		--aptopt='Acquire::Check-Valid-Until "false"' \
		--aptopt='Acquire::Retries "3"' \
		--aptopt='APT::Install-Recommends "false"' \
		--dpkgopt=force-unsafe-io \
		--setup-hook="mkdir -p \"\$1/etc\" && cp -R '$files/.' \"\$1/etc/\"" \
		--include="$(root_packages "$@")" \
		"$BASE_SUITE" "$directory" "${lines[@]}"
}

# inside DIRECTORY COMMAND...: becomes the command, with that root, and with the
# checkout, read-only, at $SOURCES_INSIDE.  To be called in a subshell, so that
# killing that one kills all that runs inside.
inside() {
	local directory=$1
	shift
	# shellcheck disable=SC2016 # expands in the new namespaces
	exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
		"${ALONE[@]}" bash -euc '
			directory=$1 checkout=$2 sources=$3
			shift 3
			mkdir -p "$directory$sources"
			mount -t proc proc "$directory/proc"
			mount -t tmpfs tmpfs "$directory/dev/shm"
			mount --bind "$checkout" "$directory$sources"
			mount -o remount,bind,ro "$directory$sources"
			chroot "$directory" "$@"
			exit
		' bash "$directory" "${ROOT:?}" "$SOURCES_INSIDE" "$@" </dev/null
}
