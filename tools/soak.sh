#!/bin/sh
# Long games in both runtimes, which must end in the same state; years of edition ii; the tests of properties, with many
# more examples; then the tests that know the date, at each moment of tests/clock/moments.txt. $1: the folder of the virtual
# environment's programs. SEEDS, TURNS, YEARS, KILLS, FULL and HOSTILE say how much, MOMENTS which file of moments (/dev/null: none).
set -eu
bin=$1
seeds=${SEEDS:-10}
turns=${TURNS:-5000}
years=${YEARS:-3}
moments=${MOMENTS:-tests/clock/moments.txt}
kills=${KILLS:-300}
NOMOPOLY_DATA=$(mktemp -d)
export NOMOPOLY_DATA
trap 'rm -rf "$NOMOPOLY_DATA"' EXIT

# The last word of a simulation's report is its state; a rule that breaks ends it with status 1.
state_of() {
    "$bin/nomopoly" simulate original --players "$2" --turns "$turns" --seed "$1" --policy "$3" --runtime "$4" \
        >"$NOMOPOLY_DATA/report" || { cat "$NOMOPOLY_DATA/report" >&2; return 1; }
    awk 'END { print $NF }' "$NOMOPOLY_DATA/report"
}

seed=1
while [ "$seed" -le "$seeds" ]; do
    for policy in greedy random careful; do
        players=$((2 + seed % 7))
        one=$(state_of "$seed" "$players" "$policy" cpython)
        two=$(state_of "$seed" "$players" "$policy" monty)
        if [ "$one" != "$two" ]; then
            echo "seed $seed, $players players, $policy: the runtimes differ after $turns turns: $one, $two" >&2
            exit 1
        fi
        echo "ok seed $seed, $players players, $policy, $turns turns: $one"
    done
    seed=$((seed + 1))
done

# A real site whose processes are killed and whose disk is full for a while; files that were altered.
small_disk=0
[ "$(id -u)" != 0 ] || small_disk=${FULL:-10} # who may not mount a small disk leaves that out
"$bin/python" tests/site/kills.py run --workers "$kills" --clock "$kills" --server "$kills" --logs 60 --full "$small_disk" \
    --seconds "$((kills * 30 + 300))"
"$bin/python" tests/site/postkills.py --letters "$((kills * 10))" --kills "$((kills * 2 / 3))"
"$bin/python" tests/site/makekills.py --kills "$((kills * 2 / 3))"
"$bin/python" tests/runtime/altered.py "$kills"
NOMOPOLY_SECONDS=5 "$bin/python" tests/runtime/hostile.py "${HOSTILE:-1000}"

NOMOPOLY_SECONDS=10 "$bin/nomopoly" soak ii --seeds "$years"
NOMOPOLY_SOAK=1 "$bin/python" -m pytest -n 2 --dist worksteal -m "not browser"

NOMOPOLY_CHROMIUM=${NOMOPOLY_CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
export NOMOPOLY_CHROMIUM
which=""
if [ -z "$NOMOPOLY_CHROMIUM" ]; then
    echo "NO BROWSER: Chromium is missing; the browser tests are SKIPPED" >&2
    which="not browser"
fi
grep -v '^#' "$moments" | while read -r moment zone what; do
    echo "== $what: $moment, $zone"
    NOMOPOLY_TEST_NOW=$moment TZ=$zone "$bin/python" -m pytest -n 2 --dist worksteal -m "$which" \
        tests/site tests/browser tests/docs tests/lab tests/test_cli.py tests/test_moments.py </dev/null
done
