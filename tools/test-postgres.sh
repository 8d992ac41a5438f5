#!/bin/sh
# Runs the tests of the site on PostgreSQL, in a cluster of their own that is gone afterwards.
# $1: the folder of the virtual environment's programs; what follows goes to pytest (default: tests/site).
# With --run as $2 what follows is a program of Python and its words, and the cluster keeps what it has said it keeps.
# PostgreSQL is installed through the system's package manager where that is allowed. Where it cannot be had the tests are
# skipped, loudly; with CI=true or NOMOPOLY_NO_SKIP=1 that is a failure.
set -eu
bin=$1
shift
program=no
[ "${1:-}" != --run ] || { program=yes; shift; }
as_root=""
[ "$(id -u)" = 0 ] || as_root="sudo -n"
folder=$(mktemp -d)
NOMOPOLY_DATA="$folder/data"
export NOMOPOLY_DATA
mkdir "$NOMOPOLY_DATA"

find_programs() {
    for place in "$(dirname "$(command -v initdb || echo /nowhere/initdb)")" /usr/lib/postgresql/*/bin /usr/pgsql-*/bin; do
        [ -x "$place/initdb" ] && found=$place
    done
    echo "${found:-}"
}

install_postgres() {
    echo "== installing PostgreSQL" >&2
    { $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y --no-install-recommends postgresql; } >"$folder/apt.log" 2>&1 </dev/null ||
        tail -n 5 "$folder/apt.log" >&2
}

programs=$(find_programs)
if [ -z "$programs" ] && command -v apt-get >/dev/null; then
    install_postgres
    programs=$(find_programs)
fi
if [ -z "$programs" ]; then
    rm -rf "$folder"
    if [ "${CI:-}" = true ] || [ "${NOMOPOLY_NO_SKIP:-}" = 1 ]; then
        echo "NO POSTGRESQL: it could not be installed, and nothing may be skipped here" >&2
        exit 1
    fi
    echo "************************************************************************" >&2
    echo "* NO POSTGRESQL: it is missing and could not be installed. The tests   *" >&2
    echo "* on PostgreSQL were SKIPPED. Install it and run them again.           *" >&2
    echo "************************************************************************" >&2
    exit 0
fi

# PostgreSQL does not run as root: then it is run as nobody else's user, `postgres` or `nobody`.
run=""
if [ "$(id -u)" = 0 ]; then
    user=$(id -un postgres 2>/dev/null || echo nobody)
    chmod 755 "$folder"
    install -d -o "$user" -m 700 "$folder/cluster"
    run="setpriv --reuid=$user --regid=$(id -g "$user") --clear-groups"
fi
end() {
    (cd / && $run "$programs/pg_ctl" -D "$folder/cluster" -m immediate stop >/dev/null 2>&1) || true
    rm -rf "$folder"
}
trap end EXIT
trap 'exit 130' INT TERM

cd_back=$(pwd)
cd /
$run "$programs/initdb" -D "$folder/cluster" -U nomopoly --auth=trust --encoding=UTF8 --locale=C >"$folder/initdb.log"
# Only through a socket in a folder of its own; and in tests what a crash would lose may be lost.
lax=""
[ $program = yes ] || lax="fsync = off
synchronous_commit = off
full_page_writes = off"
echo "unix_socket_directories = '$folder/cluster'
listen_addresses = ''
max_connections = 200
$lax" | $run tee -a "$folder/cluster/postgresql.conf" >/dev/null
$run "$programs/pg_ctl" -D "$folder/cluster" -l "$folder/cluster/log" -w start >/dev/null || {
    $run tail -n 20 "$folder/cluster/log" >&2
    exit 1
}
cd "$cd_back"
[ "$(id -u)" != 0 ] || chmod 755 "$folder/cluster"
"$programs/psql" -h "$folder/cluster" -U nomopoly -d postgres -q -c "CREATE DATABASE nomopoly"
DATABASE_URL="postgresql://nomopoly@/nomopoly?host=$folder/cluster"
export DATABASE_URL
echo "== $("$programs/psql" -h "$folder/cluster" -U nomopoly -d postgres -Atc 'SHOW server_version')" >&2
status=0
if [ $program = yes ]; then "$bin/python" "$@" || status=$?
elif [ $# -gt 0 ]; then "$bin/python" -m pytest "$@" || status=$?
else "$bin/python" -m pytest -n 2 --dist worksteal tests/site || status=$?
fi
exit $status
