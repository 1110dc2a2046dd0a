#!/usr/bin/env bash
# Checks the queue protocol with Spin; needs spin and gcc. Each line has the expected result, and the script fails if one differs.
#   run.sh          all orders that are wrong on purpose, and small scopes of the protocol: 10 minutes of one core, 2 GB
#   run.sh full     larger scopes too: more than an hour, up to 6 GB; a run that needs more counts as incomplete
#   run.sh quick X  only the runs whose name begins with X; the same for full
set -u
cd "$(dirname "$0")"
scopes=${1:-quick}
only=${2:-}
case $scopes in
    quick | full) ;;
    *) echo "The scope is quick or full, not '$scopes'." >&2; exit 2 ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
runs=0

# A run that is cut off, by memory or depth, counts as incomplete and fails. So does one that ends without a result, as if the system kills it.
check() { # model, name, expected result (ok or bad), search (states or cycles), flags
    local model=$1 name=$2 expected=$3 search=$4 result=none compile=(-DSAFETY -DNOCLAIM) options=()
    shift 4
    [[ $name == "$only"* ]] || return
    runs=$((runs + 1))
    if [ "$search" = cycles ]; then
        compile=(-DNP)
        options=(-l)
    fi

    cp "$model.pml" "$work"
    (cd "$work" && spin -a "$@" "$model.pml" > spin.txt && gcc -O2 -w -DCOLLAPSE -DMEMLIM=6000 "${compile[@]}" -o pan pan.c) || exit 2
    local output
    output=$(cd "$work" && nice ./pan -m3000000 -w24 "${options[@]}" 2>&1)
    if grep -q 'errors: [1-9]' <<< "$output"; then
        result=bad
    elif grep -q 'errors: 0' <<< "$output"; then
        result=ok
    fi

    if [ "$result" = ok ] && grep -Eq 'Search not completed|max search depth' <<< "$output"; then
        result=incomplete
    fi

    [ "$result" = "$expected" ] || failed=1
    printf '%-24s expected %-3s got %-3s %s\n' "$name" "$expected" "$result" "$(grep -o '[0-9.e+]* states, stored' <<< "$output")"
}

wait_() { check wait "$1" "$2" states "${@:3}"; }
queue() { check queue "$1" "$2" states "${@:3}"; }
cycles() { check queue "$1" "$2" cycles "${@:3}"; }
space() { check space "$1" "$2" states "${@:3}"; }
spaceCycles() { check space "$1" "$2" cycles "${@:3}"; }
full() { [ "$scopes" != full ] || "$@"; }

two=-DLENGTHS=2
join="-DNP=1 -DNX=2 -DJOIN=1"
after="-DMOVES=1 -DAFTER=1"
group="-DNP=1 -DNX=0 -DNM=2"
groupJoin="-DNP=1 -DNX=1 -DNM=2 -DJOIN=2"

# the protocol
queue  exclusive               ok  -DM=5
queue  part                    ok  -DM=4 -DPART=1
queue  single                  ok  -DM=4 -DPART=1 -DSINGLE=1 -DREUSE=1
queue  place                   ok  -DM=4 -DPART=1 -DSINGLE=1 -DREUSE=1 -DPLACE=1
cycles place-cycles            ok  -DM=4 -DSINGLE=1 -DREUSE=1 -DPLACE=1
queue  batch                   ok  -DM=4 -DBATCH=1 -DDEFER=1
queue  batch-single            ok  -DM=4 -DBATCH=1 -DDEFER=1 -DSINGLE=1 -DREUSE=1
queue  batch-reuse             ok  -DM=3 -DBATCH=1 -DREUSE=1 -DMAXC=2 $two
queue  batch-group             ok  $group -DM=4 -DBATCH=1 $two
queue  reuse                   ok  -DM=3 -DREUSE=1 -DMAXC=2 $two
queue  join-seek-delete        ok  $join -DM=4 -DMOVES=1
queue  after                   ok  $after -DM=3
queue  group                   ok  $group -DM=4 -DCLOSE=1 $two
queue  group-join              ok  $groupJoin -DM=4 -DMAXC=0 $two
cycles cycles                  ok  -DM=4
cycles batch-cycles            ok  -DM=4 -DBATCH=1 -DDEFER=1 $two
cycles cycles-reuse            ok  -DM=3 -DREUSE=1 $two
cycles cycles-join             ok  $join -DM=4 -DMOVES=1 $two
cycles cycles-after            ok  $after -DM=3 -DMAXC=0 $two
cycles cycles-group            ok  $group -DM=4 $two

# larger scopes of the protocol
full queue  laps               ok  -DM=6
full queue  deaths             ok  -DM=5 -DMAXC=2
full queue  batch-part         ok  -DM=4 -DBATCH=1 -DDEFER=1 -DPART=1
full queue  batch-of-3         ok  -DM=4 -DS=3 -DBATCH=1 -DDEFER=1
full queue  batch-deaths       ok  -DM=4 -DBATCH=1 -DDEFER=1 -DMAXC=2
full queue  segments-of-3      ok  -DM=5 -DS=3
full queue  reuse-lengths      ok  -DM=4 -DREUSE=1 -DPART=1
full queue  reuse-deaths       ok  -DM=4 -DREUSE=1 -DMAXC=2 $two
full queue  reuse-join         ok  $join -DM=4 -DREUSE=1 -DMAXC=2 $two
full queue  single-deaths      ok  -DM=4 -DPART=1 -DSINGLE=1 -DREUSE=1 -DMAXC=2
full queue  place-deaths       ok  -DM=4 -DPART=1 -DSINGLE=1 -DREUSE=1 -DPLACE=1 -DMAXC=2
full queue  place-segments     ok  -DM=4 -DS=3 -DSINGLE=1 -DREUSE=1 -DPLACE=1
full queue  join-moves         ok  $join -DM=5 -DMOVES=2
full queue  join-producers     ok  -DNX=2 -DJOIN=1 -DM=4 $two
full queue  after-laps         ok  $after -DM=4 -DMAXC=0
full queue  after-reuse        ok  $after -DM=3 -DREUSE=1 $two
full queue  group-lengths      ok  $group -DM=4 -DMAXC=2
full queue  group-laps         ok  $group -DM=5
full queue  group-producers    ok  -DNP=2 -DNX=0 -DNM=2 -DM=4 -DMAXC=0 $two
full queue  group-join-deaths  ok  $groupJoin -DM=4 $two
full cycles cycles-group-full  ok  $group -DM=4

# opening a segment, and claims
queue  mark-before-fill        bad -DM=4 -DMAXC=0 -DMARK=3
queue  mark-no-number          bad -DM=4 -DCRASHC=0 -DMARK=1 $two
cycles mark-old-number         bad -DM=4 -DCRASHC=0 -DMARK=0
queue  state-not-read-again    bad -DM=4 -DMAXC=0 -DRECHECK=0
queue  after-no-look           bad $after -DM=3 -DMAXC=0 -DCLAIMLOOK=0
queue  after-claiming-late     bad $after -DM=3 -DMAXC=0 -DCLAIMFIRST=0
queue  free-word-constant      bad -DM=4 -DMAXC=0 -DFREECONST=1
queue  free-word-in-payload    bad -DM=5 -DMAXC=0 -DOLDFREE=1
cycles hint-only               bad -DM=4 -DCRASHC=0 -DNEWEST=0
queue  part-padded-late        bad -DM=2 -DMAXC=0 -DPART=1 -DPADFIRST=0
queue  batch-first-early       bad -DM=2 -DMAXC=0 -DBATCH=1 -DBATCHLAST=0
queue  batch-reserves-a-part   bad -DM=2 -DMAXC=0 -DBATCH=1 -DBATCHWHOLE=0
queue  place-freed-late        bad -DM=4 -DSINGLE=1 -DREUSE=1 -DPLACE=1 -DPLACEFREE=0
queue  place-not-cleared       bad -DM=4 -DSINGLE=1 -DREUSE=1 -DPLACE=1 -DCLAIMFREE=0

# numbers that are used again, and the reclaim of slots (bury)
queue  owner-number-reused     bad -DM=2 -DREUSE=1 -DBURY=0 $two
queue  bury-locks-last         bad -DM=4 -DREUSE=1 -DMAXC=2 -DBURY=1 $two
queue  bury-without-lock       bad -DM=4 -DREUSE=1 -DCRASHC=0 -DBURYLOCK=0
queue  claiming-late           bad -DM=2 -DREUSE=1 -DCRASHC=0 -DCLAIMFIRST=0 $two
queue  steal-without-share     bad -DM=4 -DREUSE=1 -DCRASHC=0 -DSTEAL=0 $two
queue  seat-beside-share       bad -DM=4 -DREUSE=1 -DCRASHC=0 -DSEATALONE=0 $two
queue  bury-without-swap       bad -DM=4 -DREUSE=1 -DCRASHC=0 -DMAXC=2 -DBURYSWAP=0 $two
queue  bury-without-seat       bad -DM=4 -DSINGLE=1 -DREUSE=1 -DCRASHC=0 -DBURYSEAT=0 $two

# cursors that are added
queue  join-without-lock       bad $join -DM=4 -DMAXC=0 -DJOINLOCK=0
queue  watermark-read-once     bad $join -DM=4 -DMAXC=0 -DSCANLOCKED=0
queue  group-join-without-lock bad $groupJoin -DM=4 -DMAXC=0 -DJOINLOCK=0 $two
queue  group-watermark-once    bad $groupJoin -DM=4 -DMAXC=0 -DSCANLOCKED=0 $two

# groups
queue  group-announced-late    bad $group -DM=4 -DCRASHP=0 -DANNOUNCE=0 $two
queue  group-not-tentative     bad $group -DM=4 -DCRASHP=0 -DTENTATIVE=0 $two
queue  group-inflight-first    bad $group -DM=4 -DMAXC=0 -DSCANFREE=0 -DSCANCLAIM=0 $two
queue  group-word-moved        bad $group -DM=4 -DCRASHP=0 -DADOPT=0 $two

# consumers that sleep
wait_ one-to-one               ok  -DNP=1 -DNC=1 -DM=3
wait_ two-producers            ok  -DNP=2 -DNC=1 -DM=4 -DMAXC=1
wait_ two-consumers            ok  -DNP=1 -DNC=2 -DM=4 -DMAXC=2
wait_ two-and-two              ok  -DNP=2 -DNC=2 -DM=3
wait_ no-producer-fence        bad -DNP=1 -DNC=1 -DM=2 -DFENCE=0
wait_ no-consumer-fence        bad -DNP=1 -DNC=1 -DM=2 -DCFENCE=0
wait_ seen-after-count         bad -DNP=1 -DNC=1 -DM=3 -DSEENBEFORECOUNT=0
wait_ seen-too-late            bad -DNP=1 -DNC=1 -DM=2 -DSEENBEFORECOUNT=0 -DSEENFIRST=0
wait_ sequence-not-atomic      bad -DNP=2 -DNC=1 -DM=3 -DSEQRMW=0
wait_ no-death-wake            bad -DNP=2 -DNC=1 -DM=2 -DMAXC=1 -DDEATHWAKE=0

# producers that wait for room
space  space                   ok
space  space-own-fences        ok  -DASYMMETRIC=0
space  space-segments-of-1     ok  -DS=1 -DREUSES=2
space  space-seek              ok  -DSEEKS=1 -DMAXC=0
spaceCycles space-cycles       ok  -DS=1
full space space-reuses        ok  -DREUSES=2
full space space-deaths        ok  -DMAXC=2
full space space-slots         ok  -DN=3 -DS=1
full space space-seek-deaths   ok  -DSEEKS=1
full space space-fences-deaths ok  -DASYMMETRIC=0 -DMAXC=2
space  space-on-leaving        bad -DMAXC=0 -DWAKER=0
space  space-leaver-only       bad -DMAXC=0 -DWAKER=1
space  space-wake-first        bad -DMAXC=0 -DORDER=0
space  space-look-first        bad -DMAXC=0 -DORDER=1
space  space-no-claim-fence    bad -DMAXC=0 -DASYMMETRIC=0 -DCLAIMFENCE=0
space  space-no-wake-fence     bad -DMAXC=0 -DASYMMETRIC=0 -DWAKEFENCE=0
space  space-no-barrier        bad -DMAXC=0 -DBARRIER=0
space  space-barrier-early     bad -DMAXC=0 -DBARRIER=1
space  space-retract-silent    bad -DMAXC=0 -DRETRACTWAKE=0
space  space-adopt-silent      bad -DMAXC=0 -DADOPTWAKE=0
space  space-adopt-wake-first  bad -DMAXC=0 -DADOPTORDER=0
space  space-drop-silent       bad -DDROPWAKE=0
space  space-seek-silent       bad -DMAXC=0 -DSEEKS=1 -DSEEKWAKE=0
space  space-no-second-look    bad -DMAXC=0 -DLOOKAGAIN=0
space  space-seen-after-count  bad -DMAXC=0 -DSEENBEFORECOUNT=0
space  space-no-death-wake     bad -DDEATHWAKE=0

if [ "$runs" = 0 ]; then
    echo "No run of $scopes has a name that begins with '$only'." >&2
    exit 2
fi

exit $failed
