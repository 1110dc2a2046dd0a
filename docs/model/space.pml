/*
 * space.pml - how the members of a group wake a producer that waits for room in a bounded queue.
 *
 * A ring slot can be opened anew when the claim word and all in-flight words have left its segment. The last to hold it is the member
 * that took its last record, or another one that had taken or only announced one before. That member must wake the producer, and
 * so must one that settles the announcement of a dead member. When no step is possible any more, Monitor looks for a producer that sleeps
 * although the slot could be opened: a lost wake-up.
 *
 * The code is GroupReader.cs (Withdraw), InFlightTakeover.cs (Finish), WakeSignal.cs and LowWatermark.cs in src/Runtime/Queues.
 * One step touches shared memory once; where two accesses are one step, a comment says why that hides nothing. A member can stop to
 * read, can close with its message not committed, and can die before every store (at most MAXC times in all). The queue is full at the
 * start; records are one cell long, and all of a segment are published when it is opened; queue.pml has their content.
 * The flags choose the scope and the orders that are wrong on purpose; the defaults are the protocol.
 */

/* ---- scope ---- */
#ifndef S
#define S 2             /* records of a segment */
#endif
#ifndef N
#define N 2             /* ring slots */
#endif
#ifndef REUSES
#define REUSES 1        /* how often the producer waits for a slot */
#endif
#ifndef MAXC
#define MAXC 1          /* deaths of members in all */
#endif
#ifndef IDLE
#define IDLE 1          /* how often, in all, a member finds that its record is not committed yet */
#endif
#ifndef SEEKS
#define SEEKS 0         /* how often a member seeks to the end */
#endif
#ifndef ASYMMETRIC
#define ASYMMETRIC 1    /* ProcessFence. 1: Frequent does nothing, Rare makes all members fence; 0: each fences for itself */
#endif

/* ---- orders that are wrong on purpose; the defaults are the protocol ---- */
#ifndef WAKER
#define WAKER 2         /* the member that wakes. 0: the one that moves the claim word out, at once; 1: the same one, when it is done; 2: each that withdraws after that */
#endif
#ifndef ORDER
#define ORDER 2         /* of a withdrawal. 0: look at the claim word, wake, clear the in-flight word; 1: look, clear, wake; 2: clear, look, wake */
#endif
#ifndef CLAIMFENCE
#define CLAIMFENCE 1    /* 0: no fence between the clear of the in-flight word and the look at the claim word */
#endif
#ifndef WAKEFENCE
#define WAKEFENCE 1     /* 0: no fence before the look at the count of waiters */
#endif
#ifndef BARRIER
#define BARRIER 2       /* 0: Rare makes no member fence; 1: it does so before the wait is counted; 2: after that */
#endif
#ifndef RETRACTWAKE
#define RETRACTWAKE 1   /* 0: a member that takes an announcement back wakes no producer */
#endif
#ifndef ADOPTWAKE
#define ADOPTWAKE 1     /* 0: a member that delivered the message of a dead one wakes no producer */
#endif
#ifndef ADOPTORDER
#define ADOPTORDER 1    /* 0: it wakes before the word of the dead one is clear */
#endif
#ifndef DROPWAKE
#define DROPWAKE 1      /* 0: a member that clears the announcement of a dead one wakes no producer */
#endif
#ifndef SEEKWAKE
#define SEEKWAKE 1      /* 0: a seek wakes no producer */
#endif
#ifndef DEATHWAKE
#define DEATHWAKE 1     /* 0: a sleep does not end by itself after a death */
#endif
#ifndef LOOKAGAIN
#define LOOKAGAIN 1     /* 0: the producer does not look again after the count */
#endif
#ifndef SEENBEFORECOUNT
#define SEENBEFORECOUNT 1 /* 0: the sequence is read after the wait is counted */
#endif

/* shared memory */
byte tail = N*S;        /* how many records are published */
byte claim;             /* how many are taken */
byte inflight[3];       /* 0, or 2 * (position + 1), + 1 while tentative */
bool waits;             /* the count of waiters: the producer is the only one */
bool begun[3];          /* a wait has begun since this member's last wake. The code counts takeovers separately, and so wakes more often. */
bool bumped;            /* the sequence has changed since the producer read it */
#define WORD(p,t)   (2*((p)+1)+(t))
#define POSITION(v) ((v)/2-1)

/* A member's store that may not be visible yet: the number of the word that it clears. Its other stores are read-modify-writes, or
   come right before one. */
byte buffer[3];
#define FENCED (buffer[m]==0)

/* leases, and the kernel */
bool dead[3];           /* or closed */
bool leased[3];         /* the other member holds the lease of this dead one */
bool asleep;            /* the producer */

byte deaths, ticks, idle = IDLE, seeks = SEEKS;

/* the low watermark lets the segment of tail be opened */
#define LIMIT          ((tail/S-N+1)*S)
#define CLAIMOK        (claim>=LIMIT)
#define INFLIGHTOK(m)  (inflight[m]==0 || POSITION(inflight[m])>=LIMIT)

proctype Producer()
{
look:
	/* Word by word. The code reads all of them a second time, under the ring slot's lock: that fails as the first reading does. */
	atomic { if :: CLAIMOK :: else -> goto none fi };
	atomic { if :: INFLIGHTOK(1) :: else -> goto none fi };
	atomic { if :: INFLIGHTOK(2) :: else -> goto none fi };
	atomic {
		waits=false; bumped=false;
		tail=tail+S;
		if :: tail<(N+REUSES)*S -> goto look :: else -> tail=0; goto sent fi
	};
none:
	atomic { if :: waits -> goto sleep :: else fi };
#if BARRIER==1
	atomic { buffer[1]==0 };
	atomic { buffer[2]==0 };
#endif
#if SEENBEFORECOUNT
	bumped=false;                                           /* wait 1 */
#endif
	atomic { waits=true; begun[1]=true; begun[2]=true };    /* wait 2: one word */
#if !SEENBEFORECOUNT
	bumped=false;
#endif
#if ASYMMETRIC && BARRIER==2
	atomic { buffer[1]==0 };                                /* wait 3: a moment for each member in which it has fenced */
	atomic { buffer[2]==0 };
#endif
#if LOOKAGAIN
	goto look;                                              /* wait 4 */
#endif
sleep:
	atomic { if :: !bumped -> asleep=true :: else fi };     /* wait 5: compares and goes to sleep in one step */
endsleep:
	!asleep;
	atomic { waits=false; goto look };                      /* wait 6 */
sent:
	skip
}

#define OTHER (3-m)
#define LEFT (claim/S!=P/S)
#define ADOPTABLE(d) (dead[d] && inflight[d]!=0 && !leased[d])

/* The kernel ends a process, which makes its stores visible, before it frees its lease. */
#define SETTLE if :: buffer[m]!=0 -> inflight[buffer[m]]=0; buffer[m]=0 :: else fi
/* The guard is needed: an else at the start of an option is taken only if no option before it can be. */
#define CLOSE atomic { true -> SETTLE; dead[m]=true; leased[OTHER]=false; goto progressgone }
#define DIE :: atomic { deaths<MAXC -> deaths++; SETTLE; dead[m]=true; leased[OTHER]=false; goto progressgone }

#define CLEAR(d) if :: atomic { FENCED -> buffer[m]=d } DIE fi
#define GIVEUP atomic { if :: d!=m -> FENCED; leased[d]=false :: else fi }

proctype Member(byte m)
{
	byte P;
	byte d;         /* the member whose word it clears */
	bool left;      /* only where the order is wrong: the claim word had left the segment at an earlier look */
	bool early;     /* only where the order is wrong: it wakes first, and clears after that */

endtake:
	if
	:: atomic { ADOPTABLE(OTHER) -> d=OTHER; leased[d]=true; goto adopt }
	:: atomic { claim<tail -> P=claim }                     /* take 1: a claim word that was read earlier has moved, or is still this one */
#if SEEKS
	:: atomic { seeks>0 && claim<tail && FENCED -> seeks--; claim=tail; goto sought }
#endif
	:: goto end
	fi;
	if                                                      /* take 2, an exchange */
	:: atomic { FENCED -> inflight[m]=WORD(P,1); d=m }
	DIE
	fi;
	/* take 3 to 5: the record stays; to others, a member that only announced it looks like one that confirmed it, until it is dead */
	if
	:: atomic { claim==P -> inflight[m]=WORD(P,0) }
	:: atomic { claim!=P -> goto quit }
	:: atomic { claim==P && idle>0 -> idle--; goto quit }
	DIE
	fi;
	if                                                      /* take 6: compare-and-swap */
	:: atomic { claim==P -> claim=P+1;
#if WAKER<2
		left=LEFT;
#endif
#if WAKER==0
		if :: left -> goto wake :: else fi
#endif
	   }
	:: atomic { claim!=P -> goto quit }
	DIE
	fi;

done:
	if
	:: goto withdraw
	:: CLOSE
#if SEEKS
	/* the message that it had taken is forgotten */
	:: atomic { seeks>0 && claim<tail && FENCED -> seeks--; claim=tail };
		CLEAR(m);
		goto sought
#endif
	fi;

quit:
#if !RETRACTWAKE
	CLEAR(m);
	goto ready;
#endif
withdraw:
#if ORDER<2
	atomic { left=LEFT };
#endif
#if ORDER==0
	atomic { if :: left -> early=true; goto wake :: else fi };
#endif
	CLEAR(m);                                               /* done 1 */
#if !ASYMMETRIC && CLAIMFENCE
	atomic { FENCED };                                      /* done 2 */
#endif
#if WAKER==2 && ORDER==2
	atomic { if :: LEFT :: else -> goto ready fi };         /* done 3 */
#else
	atomic { if :: left -> left=false :: else -> goto ready fi };
#endif

wake:
#if !ASYMMETRIC && WAKEFENCE
	atomic { FENCED };                                      /* wake 2 */
#endif
	atomic {                                                /* wake 3: one word */
		if
		:: waits && begun[m] -> begun[m]=false
		:: else -> goto woke
		fi
	};
	if
	:: atomic { FENCED -> bumped=true }
	DIE
	fi;
	if
	:: asleep=false
	DIE
	fi;
woke:
#if WAKER==0
	atomic { if :: left -> left=false; goto done :: else fi };
#endif
#if ORDER==0 || !ADOPTORDER
	atomic { if :: early -> early=false; left=false :: else -> goto ready fi };
	CLEAR(d);
	GIVEUP;
#endif
ready:
	atomic { P=0; d=0; goto endtake };

#if SEEKS
sought:
#if SEEKWAKE
	goto wake;
#else
	goto ready;
#endif
#endif

adopt:
	/* The lease is won; a new member has that of its own word in any case. A message that was only announced is dropped, one that was taken is delivered. */
	atomic { P=POSITION(inflight[d]) };
	atomic { if :: inflight[d]%2==1 || claim<=P -> goto drop :: else fi };
	if
	:: true
	:: CLOSE
	fi;
#if !ADOPTORDER
	early=true; goto wake;
#endif
	CLEAR(d);                                               /* adopt 4 */
	GIVEUP;
#if ADOPTWAKE
	goto wake;
#else
	goto ready;
#endif
drop:
	CLEAR(d);
	GIVEUP;
#if DROPWAKE
	goto wake;
#else
	goto ready;
#endif

progressgone:
	/* a new member takes the lease of this number, and takes over the message that is announced there; or none does */
	atomic {
		P=0; d=0; left=false; early=false; begun[m]=true;
		if
		:: !leased[m] -> dead[m]=false;
			if
			:: inflight[m]!=0 -> d=m; goto adopt
			:: else -> goto endtake
			fi
		:: goto end
		fi
	};
end:
	atomic { P=0; d=0 }
}

/* a member's store becomes visible at some time */
proctype Memory()
{
enddrain:
	do
	:: atomic { buffer[1]!=0 -> inflight[buffer[1]]=0; buffer[1]=0 }
	:: atomic { buffer[2]!=0 -> inflight[buffer[2]]=0; buffer[2]=0 }
	od
}

#if DEATHWAKE
/* no sleep is longer than 40 ms: at some time after a death the producer looks again */
proctype Clock()
{
endtick:
	do
	:: atomic { ticks<deaths -> ticks++; bumped=true; asleep=false }
	od
}
#endif

/* runs when no step is possible any more */
proctype Monitor()
{
endwatch:
	timeout -> assert(!asleep || !(CLAIMOK && INFLIGHTOK(1) && INFLIGHTOK(2)))
}

init {
	atomic {
		run Producer();
		run Member(1);
		run Member(2);
		run Memory();
		run Monitor();
#if DEATHWAKE
		run Clock();
#endif
	}
}
