#!/usr/bin/env bash
# Checks the wait and wake protocol with Spin (needs spin and gcc). Each line says what is expected; the script fails when one differs.
set -u
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

check() { # name, expected result (ok or bad), flags
    local name=$1 expected=$2 result=ok
    shift 2
    cp wait.pml "$work"
    (cd "$work" && spin -a "$@" wait.pml > /dev/null && gcc -O2 -DSAFETY -w -o pan pan.c) || exit 2
    local output
    output=$(cd "$work" && ./pan -m2000000 -w26 2>&1)
    grep -q 'errors: 0' <<< "$output" || result=bad
    [ "$result" = "$expected" ] || failed=1
    printf '%-24s expected %-3s got %-3s %s\n' "$name" "$expected" "$result" "$(grep -o '[0-9.e+]* states, stored' <<< "$output")"
}

check one-to-one            ok  -DNP=1 -DNC=1 -DM=3
check two-producers         ok  -DNP=2 -DNC=1 -DM=4 -DMAXC=1
check two-consumers         ok  -DNP=1 -DNC=2 -DM=4 -DMAXC=2
check two-and-two           ok  -DNP=2 -DNC=2 -DM=3
check no-producer-fence     bad -DNP=1 -DNC=1 -DM=2 -DFENCE=0
check no-consumer-fence     bad -DNP=1 -DNC=1 -DM=2 -DCFENCE=0
check seen-after-count      bad -DNP=1 -DNC=1 -DM=3 -DSEENBEFORECOUNT=0
check seen-too-late         bad -DNP=1 -DNC=1 -DM=2 -DSEENBEFORECOUNT=0 -DSEENFIRST=0
check sequence-not-atomic   bad -DNP=2 -DNC=1 -DM=3 -DSEQRMW=0
check no-death-wake         bad -DNP=2 -DNC=1 -DM=2 -DMAXC=1 -DDEATHWAKE=0

exit $failed
