#!/bin/sh
# Sets up, checks style and types beside the tests, and says at the end how long each stage took.
# usage: scripts/test.sh [quick|counted]
#   quick: the daily round (tests/daily.py), without tables of their own and whatever takes long
#   counted: all, and the branches that cheap tests reach are counted on the way (tests/reached.py): they may not become fewer
set -eu
cd "$(dirname "$0")/.."
times=
checks=
# Where the environment forbids it, each worker and each room a test starts would compile every file anew.
unset PYTHONDONTWRITEBYTECODE
# More workers than cores: half of the tests spend their time waiting for processes they started.
pytest=".venv/bin/python -m pytest -n 4 --dist worksteal"
reached=out/coverage/reached
case "${1:-}" in
    quick) pytest="$pytest -m quick -q" ;;
    counted) pytest="$pytest --reached=$reached" ;;
esac

report() {
    [ -z "$checks" ] || kill "$checks" 2>/dev/null || true # left early: make ends what it started
    printf '\n%s\n' "stage        seconds"
    printf '%b' "$times"
}
trap report EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

stage() {
    name=$1
    shift
    began=$(date +%s)
    code=0
    "$@" || code=$?
    times="$times$(printf '%-12s %7d' "$name" $(($(date +%s) - began)))\n"
}

stage set-up scripts/setup.sh tests
[ "$code" = 0 ] || exit "$code"

# Tests wait for much, checks for nothing: they have what the tests leave over. What they say is told when the tests have spoken.
mkdir -p out
rm -rf out/checks.done "$reached"
began=$(date +%s)
(
    trap 'kill "$!"; exit 143' TERM
    nice -n 5 make --no-print-directory check > out/checks.log 2>&1 &
    code=0
    wait "$!" || code=$?
    echo "$code $(($(date +%s) - began))" > out/checks.done
) &
checks=$!
stage tests $pytest
failed=$code
wait "$checks" || true
checks=
read -r code took < out/checks.done
times="$times$(printf '%-12s %7d  (beside the tests)' checks "$took")\n"
printf '\nchecks:\n'
cat out/checks.log
[ "$failed" = 0 ] || exit "$failed"
[ "$code" = 0 ] || exit "$code"
[ "${1:-}" = counted ] || exit 0
stage coverage .venv/bin/python scripts/coverage_doc.py --held
exit "$code"
