/*
 * wait.pml - how consumers sleep and producers wake them, on a plain list of M positions. A claim is one atomic step here.
 *
 * A consumer that stays asleep although it can handle the next record is a lost wake-up. The process Mon looks for one when no other
 * process can run.
 */
#ifndef NP
#define NP 2            /* producers */
#endif
#ifndef NC
#define NC 1            /* consumers with the same cursor */
#endif
#ifndef M
#define M 3             /* messages in all */
#endif
#ifndef MAXC
#define MAXC 0          /* deaths in all */
#endif
#ifndef CRASHP
#define CRASHP 1
#endif
#ifndef CRASHC
#define CRASHC 1
#endif
/* orders that are wrong on purpose; the defaults are the protocol (src/Runtime/Queues/Waiting/WakeSignal.cs) */
#ifndef FENCE
#define FENCE 1         /* 0: the producer has no full fence between its commit and the read of waiters */
#endif
#ifndef CFENCE
#define CFENCE 1        /* 0: the consumer's waiters++ is not a read-modify-write, and no full fence follows it */
#endif
#ifndef SEENFIRST
#define SEENFIRST 1     /* 0: the sequence is read after the consumer has looked again */
#endif
#ifndef SEQRMW
#define SEQRMW 1        /* 0: the increment of the sequence is two steps */
#endif
#ifndef DEATHWAKE
#define DEATHWAKE 1     /* 0: no sleep ends after a death */
#endif
#ifndef WAKEALL
#define WAKEALL 1       /* 0: a commit wakes one consumer */
#endif
#ifndef ONCE
#define ONCE 1          /* 1: a producer wakes each wait once, because it counts the waits that have begun; 0: it wakes at every commit */
#endif
#ifndef SEENBEFORECOUNT
#define SEENBEFORECOUNT 1 /* 0: the sequence is read after the wait is counted; ONCE needs 1 */
#endif
#ifndef WAITRMW
#define WAITRMW 1       /* 0: a change of waiters is two steps */
#endif

#define FREE 0
#define RES(p) (p)
#define COM 100
byte hdr[M+1];
byte next, cur;
byte waiters, seq;
byte begun;
bool dead[NP+1], cdead[NC+1];
bool asleep[NC+1];
byte crashes;
/* the store buffer of each producer, for one store: position + 1 of a commit that is not visible yet */
byte sb[NP+1];
bool cb[NC+1];          /* the consumer's waiters++ is not visible yet */

#define DEADRES(w) ((w)>0 && (w)<=NP && dead[w])
#define AVAIL(c) ((c)<M && (hdr[c]==COM || DEADRES(hdr[c])))

inline wake_all() {
	asleep[1]=false;
#if NC>1
	asleep[2]=false
#endif
}

proctype Prod(byte p)
{
	byte P, s, woken;
#define CRASH :: atomic { CRASHP && crashes<MAXC -> crashes++; dead[p]=true; goto gone }
send:
	if
	:: atomic { next<M -> P=next; next++; hdr[P]=RES(p) }   /* claim */
	:: next>=M -> goto gone
	CRASH
	fi;
	if                                                      /* commit */
#if FENCE
	:: hdr[P]=COM
#else
	:: sb[p]==0 -> sb[p]=P+1
#endif
	CRASH
	fi;
	/* the fence is here */
#if ONCE
	atomic {                                                /* one word: how many wait, and how many waits have begun */
		if
		:: waiters==0 || begun==woken -> goto send
		:: else -> woken=begun
		fi
	};
#else
	if
	:: waiters==0 -> goto send
	:: waiters!=0
	fi;
#endif
#if SEQRMW
	if
	:: atomic { sb[p]==0 -> seq++ }
	CRASH
	fi;
#else
	s=seq;
	if
	:: atomic { sb[p]==0 -> seq=s+1 }
	CRASH
	fi;
#endif
	if
#if WAKEALL
	:: atomic { wake_all() }
#else
	:: atomic { if :: asleep[1] -> asleep[1]=false
#if NC>1
		:: asleep[2] -> asleep[2]=false
#endif
		:: else fi }
#endif
	CRASH
	fi;
	goto send;
gone:
	atomic { P=0; s=0; woken=0 }
}

#if !FENCE
proctype Drain(byte p)
{
endd:	do
	:: atomic { sb[p]!=0 -> if :: dead[p] && hdr[sb[p]-1]!=RES(p) :: else -> hdr[sb[p]-1]=COM fi; sb[p]=0 }
	od
}
#endif
#if !CFENCE
proctype CDrain(byte c)
{
endd:	do
	:: atomic { cb[c] -> waiters++; cb[c]=false }
	od
}
#endif

proctype Cons(byte c)
{
	byte seen, t;
#define CRASH_C :: atomic { CRASHC && crashes<MAXC && NC>1 -> crashes++; cdead[c]=true; asleep[c]=false; goto gone }
loop:
	if
	:: atomic { AVAIL(cur) -> cur++ }               /* take (or pad) */
	:: atomic { !AVAIL(cur) -> if :: cur>=M -> goto gone :: else fi }
	CRASH_C
	fi;
	if
	:: atomic { AVAIL(cur) -> goto loop }
	:: !AVAIL(cur)
	fi;
	/* wait 1 */
#if ONCE && SEENBEFORECOUNT
	seen=seq;
#endif
#if CFENCE
#if WAITRMW
	if
	:: atomic { waiters++; begun++ }
	CRASH_C
	fi;
#else
	t=waiters;
	if
	:: waiters=t+1
	CRASH_C
	fi;
#endif
#else
	cb[c]=true;
#endif
#if SEENFIRST
#if !(ONCE && SEENBEFORECOUNT)
	seen=seq;                                       /* wait 2 */
#endif
	if :: AVAIL(cur) -> goto out :: !AVAIL(cur) fi; /* wait 3: look again */
#else
	if :: AVAIL(cur) -> goto out :: !AVAIL(cur) fi;
	seen=seq;
#endif
	/* wait 4: the futex compares and goes to sleep in one step */
	if
	:: atomic { seq==seen && !cb[c] -> asleep[c]=true }
	:: atomic { seq!=seen -> goto out }
	CRASH_C
	fi;
ends:
	if
	:: !asleep[c]
	CRASH_C
	fi;
out:
	if                                              /* wait 5 */
#if WAITRMW
	:: atomic { !cb[c] -> waiters--; seen=0 }
#else
	:: atomic { t=waiters; goto dec }
#endif
	CRASH_C
	fi;
	goto loop;
#if !WAITRMW
dec:
	if
	:: waiters=t-1
	CRASH_C
	fi;
	goto loop;
#endif
gone:
	atomic { seen=0; t=0 }
}

#if DEATHWAKE
proctype Watch(byte p)
{
endw:	dead[p] -> seq++; atomic { wake_all() }
}
proctype CWatch(byte c)
{
endw:	cdead[c] -> seq++; atomic { wake_all() }
}
#endif

#ifndef MONCOM
#define MONCOM 0        /* 1: only a committed record at the cursor counts */
#endif
proctype Mon()
{
#if MONCOM
endm:	timeout -> assert(cur>=M || hdr[cur]!=COM)
#else
endm:	timeout -> assert(!AVAIL(cur) || (NC>1 && cdead[1] && cdead[NC]))
#endif
}

init { atomic {
	run Prod(1);
#if NP>1
	run Prod(2);
#endif
	run Cons(1);
#if NC>1
	run Cons(2);
#endif
#if !FENCE
	run Drain(1);
#if NP>1
	run Drain(2);
#endif
#endif
#if !CFENCE
	run CDrain(1);
#if NC>1
	run CDrain(2);
#endif
#endif
#if DEATHWAKE
	run Watch(1);
#if NP>1
	run Watch(2);
#endif
#if NC>1
	run CWatch(1); run CWatch(2);
#endif
#endif
	run Mon()
} }
