#!/usr/bin/env bash
# measure.sh SCRIPT CLIENTS SECONDS [pgbench -D NAME=VALUE …]: prints the cost of a script in this folder for PostgreSQL on one
# line: script, clients, transactions a second, ms of a transaction, µs of CPU, bytes of WAL and commits per transaction. Measures
# after all connections have been open for 3 seconds. PostgreSQL runs on this machine; PGHOST, PGPORT, PGUSER and PGDATABASE say
# where, and POSTMASTER is the id of its first process.
set -euo pipefail
cd "$(dirname "$0")"
script=$1 clients=$2 seconds=$3
shift 3
rules='{"plans":{"free":{"apiAccess":false,"callsPerMonth":0},"team":{"apiAccess":true,"callsPerMonth":null}},"windowSeconds":60,"lastUseSeconds":60}'
report=$(mktemp)
trap 'kill "$!" 2>/dev/null || true; rm -f "$report"' EXIT

# Clock ticks of the server and its ended processes, and of the living ones.
ticks() {
  { cut -d' ' -f14-17 "/proc/$POSTMASTER/stat"; for pid in $(pgrep -P "$POSTMASTER"); do cut -d' ' -f14-15 "/proc/$pid/stat" 2>/dev/null || true; done; } |
    awk '{ for (i = 1; i <= NF; i++) sum += $i } END { print sum }'
}
counters() { psql -qAt -F' ' -c "select pg_current_wal_insert_lsn() - '0/0', (select xact_commit from pg_stat_database where datname = current_database())"; }
lines() { grep -c '^progress' "$report" || true; }

pgbench -n -M prepared -f "$script.sql" -c "$clients" -j 2 -T $((seconds + 5)) -P 1 -D rules="$rules" "$@" >"$report" 2>&1 &
for ((waited = 0; waited < 600 && $(lines) < 3; waited++)); do kill -0 $! || { cat "$report" >&2; exit 1; }; sleep 0.1; done
first=$(lines) before=$(ticks) counters=($(counters)) began=$(date +%s%N)
for ((waited = 0; waited < 600 && $(lines) < first + seconds; waited++)); do sleep 0.1; done
after=$(ticks) counters_after=($(counters)) took=$(($(date +%s%N) - began))
awk -v script="$script" -v clients="$clients" -v ticks=$((after - before)) -v hz="$(getconf CLK_TCK)" -v took="$took" \
  -v first="$first" -v seconds="$seconds" -v wal=$((counters_after[0] - counters[0])) -v commits=$((counters_after[1] - counters[1])) '
  /^progress/ && ++line > first && line <= first + seconds { tps += $4 / seconds }
  END {
    turns = tps * took / 1e9
    if (turns == 0) { print script, clients, "no transaction ended"; exit }
    printf "%-12s %5d %8.0f %8.2f %8.0f %8.0f %6.2f\n", script, clients, tps, 1000 * clients / tps, 1e6 * ticks / hz / turns, wal / turns, commits / turns
  }' "$report"
