#!/bin/sh
# Sets up, checks style and types, runs the tests, and says at the end how long each stage took.
# usage: scripts/test.sh [quick]      quick: the daily round, without tests that start processes or take long
set -eu
cd "$(dirname "$0")/.."
times=
# Where the environment forbids it, each worker and each room a test starts would compile every file anew.
unset PYTHONDONTWRITEBYTECODE
# More workers than cores: half of the tests spend their time waiting for processes they started.
pytest=".venv/bin/python -m pytest -n 4 --dist worksteal"
[ "${1:-}" = quick ] && pytest="$pytest -m quick -q"

report() {
    printf '\n%s\n' "stage        seconds"
    printf '%b' "$times"
}
trap report EXIT

stage() {
    name=$1
    shift
    began=$(date +%s)
    code=0
    "$@" || code=$?
    times="$times$(printf '%-12s %7d' "$name" $(($(date +%s) - began)))\n"
    [ "$code" = 0 ] || exit "$code"
}

stage set-up scripts/setup.sh tests
stage checks make --no-print-directory check
stage tests $pytest
