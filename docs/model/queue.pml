/*
 * queue.pml - the records of a bounded queue: claim, publish, open a segment anew, read with cursors and groups, join, seek,
 * and reclaim the slots of dead participants. Waiting and waking is in wait.pml.
 *
 * One step touches shared memory once; where two accesses are one step, a comment says why that hides nothing. A participant
 * can stop permanently before every step, and can die before every store (at most MAXC times in all). The flags choose the scope
 * and the orders that are wrong on purpose; the defaults are the protocol.
 *
 * Names that end with a number, such as "claim 3", are the steps of the protocol. Ghosts are never read by it. Older words in names: bury is the reclaim of
 * a slot, the registrar the holder of the membership lock, a seat a slot, adopt a takeover.
 */

/* ---- scope ---- */
#ifndef S
#define S 2             /* cells of a segment */
#endif
#ifndef N
#define N 2             /* ring slots */
#endif
#ifndef NP
#define NP 2            /* producers */
#endif
#ifndef NX
#define NX 1            /* exclusive cursors */
#endif
#ifndef NM
#define NM 0            /* members of the group, 0 or 2 */
#endif
#ifndef M
#define M 5             /* messages in all */
#endif
#ifndef MAXC
#define MAXC 1          /* deaths in all */
#endif
#ifndef CRASHP
#define CRASHP 1        /* producers can die */
#endif
#ifndef CRASHC
#define CRASHC 1        /* consumers and members can die */
#endif
#ifndef LENGTHS
#define LENGTHS 0       /* 0: records of 1 or 2 cells; otherwise all of this length */
#endif
#ifndef PART
#define PART 0          /* 1: a record of 2 cells can be published as one of 1 cell */
#endif
#ifndef BATCH
#define BATCH 0         /* 1: a record of 2 cells can be published as a batch of two records */
#endif
#ifndef DEFER
#define DEFER 0         /* 1: a cursor can stay until the next message is handled, if that is there */
#endif
#ifndef SINGLE
#define SINGLE 0        /* 1: one producer at a time, plain stores */
#endif
#ifndef PLACE
#define PLACE 0         /* 1, with SINGLE: a record can also be written before it is claimed, and is then published by one store */
#endif
#ifndef REUSE
#define REUSE 0         /* 1: a new producer can take the number of a dead one */
#endif
#ifndef JOIN
#define JOIN 0          /* 1: the last exclusive cursor is added while the queue runs; 2: the group is */
#endif
#ifndef MOVES
#define MOVES 0         /* how often the last exclusive cursor seeks, or is deleted (and perhaps added again) */
#endif
#ifndef AFTER
#define AFTER 0         /* 1, not with SINGLE: a cursor that seeks, or is added, can begin after any record of a segment, also after one that is not finished */
#endif
#ifndef CLOSE
#define CLOSE 0         /* 1: a member can close with its message not committed */
#endif

/* ---- orders that are wrong on purpose; the defaults are the protocol ---- */
#ifndef MARK
#define MARK 2          /* the state during the fill. 0: still OPEN(k-N), 1: a mark without a number, 2: OPENING(k), 3: already OPEN(k) */
#endif
#ifndef SCANFREE
#define SCANFREE 1      /* 0: the low watermark is not read before the lock; the protocol holds without it too, so the reading under the lock is the one that counts */
#endif
#ifndef RECHECK
#define RECHECK 1       /* 0: the state is not read again under the lock */
#endif
#ifndef SCANLOCKED
#define SCANLOCKED 1    /* 0: the low watermark is not read again under the lock */
#endif
#ifndef CLAIMLOOK
#define CLAIMLOOK 1     /* with AFTER, 0: an opener does not look at the claims of the producers. Without AFTER none looks: a cursor or a group that began at 0 holds every unfinished record */
#endif
#ifndef FREECONST
#define FREECONST 0     /* 1: the same free word in every lap */
#endif
#ifndef OLDFREE
#define OLDFREE 0       /* 1: payloads can hold the free word of an earlier lap */
#endif
#ifndef NEWEST
#define NEWEST 1        /* 0: a producer that is late only reads the hint again */
#endif
#ifndef BURY
#define BURY 2          /* 0: a number is used again as it is, 1: its locks are freed last, 2: first */
#endif
#ifndef BURYLOCK
#define BURYLOCK 1      /* 0: the reclaim does not take the ring slot's lock */
#endif
#ifndef CLAIMFIRST
#define CLAIMFIRST 1    /* 0: claiming is stored after the compare-and-swap */
#endif
#ifndef STEAL
#define STEAL 1         /* 0: a lock is taken from a dead owner after the share of its lease was released */
#endif
#ifndef SEATALONE
#define SEATALONE 1     /* 0: a number gets a new owner while a participant has a share of its lease */
#endif
#ifndef BURYSWAP
#define BURYSWAP 1      /* 0: a reclaim frees a lock by a store, not by compare-and-swap */
#endif
#ifndef BURYSEAT
#define BURYSEAT 1      /* 0: the reclaim of the only producer leaves its number in the queue's word for it */
#endif
#ifndef PADFIRST
#define PADFIRST 1      /* 0: a part is published before its rest is padding */
#endif
#ifndef BATCHLAST
#define BATCHLAST 1     /* 0: the first record of a batch is published before the other one is finished */
#endif
#ifndef BATCHWHOLE
#define BATCHWHOLE 1    /* 0: the reservation of a batch has the length of its first record */
#endif
#ifndef PLACEFREE
#define PLACEFREE 1     /* 0: the word after a record is made free only after the record is published */
#endif
#ifndef CLAIMFREE
#define CLAIMFREE 1     /* 0: a claim does not make the word after it free */
#endif
#ifndef JOINLOCK
#define JOINLOCK 1      /* 0: a cursor is placed without the ring slot's lock */
#endif
#ifndef ANNOUNCE
#define ANNOUNCE 1      /* 0: the announcement is visible only after the claim word was read again */
#endif
#ifndef TENTATIVE
#define TENTATIVE 1     /* 0: an announcement is final from the start */
#endif
#ifndef ADOPT
#define ADOPT 1         /* 0: a takeover moves the word into the slot of the member that takes over */
#endif
#ifndef SCANCLAIM
#define SCANCLAIM 1     /* 0: the inflight words are read before the claim word */
#endif

#define CELLS (N*S)
#define SEG(p)     ((p)/S)
#define CELL(p)    ((p)%CELLS)
#define SLOT(k)    ((k)%N)

/* states of a ring slot, in their order */
#define NEVER         0
#define OPENING(k)    (2*(k)+1)
#define OPEN(k)       (2*(k)+2)
#define ISOPEN(s)     ((s)!=NEVER && (s)%2==0)
#define OPENED(s)     ((s)/2-1)

/* words of a record; those below 64 are free */
#if FREECONST
#define FREE(k) 1
#else
#define FREE(k) (1+(k))
#endif
#define RESERVED(n,who) (64+8*(n)+(who))
#define COMMITTED(n)    (128+8*(n))
#define PADDING(n)      (192+8*(n))
#define ISRECORD(w)     ((w)>=64)
#define ISRESERVED(w)   ((w)>=64 && (w)<128)
#define ISCOMMITTED(w)  ((w)>=128 && (w)<192)
#define ISPADDING(w)    ((w)>=192)
#define LENGTH(w)       (((w)>>3)&7)
#define OWNER(w)        ((w)&7)

/* numbers of participants: producers, exclusive consumers, members */
#define CONSUMER(c) (NP+(c))
#define MEMBER(m)   (NP+NX+(m))
#define IDS         (NP+NX+NM)
#define REGISTRAR   (IDS+1)

/* shared memory */
byte state[N], lock[N];         /* of the ring slots */
byte word[CELLS], data[CELLS];
byte hint;
byte claiming[NP+1];            /* position of the last attempt, + 1 */
byte cursor[NX+1];              /* position + 1; 0: there is none */
#if NM
byte claim;                     /* position + 1; 0: there is no group */
byte inflight[NM+1];            /* 0, or 2 * (position + 1), + 1 while tentative */
bool leased[NM+1];             /* the other member holds the lease of this dead one */
#define WORD(p,t) (2*((p)+1)+(t))
#define POSITION(v) ((v)/2-1)
#endif
#if SINGLE
byte seat;                      /* the number of the only producer */
#endif

/* leases: no participant holds the lease of a dead one, nor the membership lock when no slot is changed. Others can have shares of such a
   lease; while they do, it cannot be taken. Where a share is taken for one compare-and-swap and that is the next step, both
   are one step: if the word has changed in between, the effect is that of not taking the share. */
bool dead[IDS+2];
byte shares[IDS+2];
#if SEATALONE
#define CANTAKE(who) (dead[who] && shares[who]==0)
#else
#define CANTAKE(who) dead[who]
#endif

byte deaths, budget = M, running = NP, moves = MOVES;

/* a live producer has not finished its record in the segment k */
#if AFTER && CLAIMLOOK
#define WRITES(who,k) (claiming[who]!=0 && SEG(claiming[who]-1)==(k) && !dead[who] && \
	ISRESERVED(word[CELL(claiming[who]-1)]) && OWNER(word[CELL(claiming[who]-1)])==(who))
#if NP==2
#define ISWRITTEN(k) (WRITES(1,k) || WRITES(2,k))
#else
#define ISWRITTEN(k) WRITES(1,k)
#endif
#else
#define ISWRITTEN(k) false
#endif

/* ghosts */
byte tail;                      /* end of the last claim */
byte past[CELLS];               /* of the record that begins in a cell, bits: */
#define CLAIMED   1
#define PUBLISHED 2
#define DELIVERED 4             /* to the group */
#define UNFLAGGED 8             /* to the group, without the mark that it may have been delivered before */
#define FINISHED  16            /* by the group */
#define BATCHED   32            /* the next record is of the same batch */
#if NM
byte reading[NM+1];             /* position + 1 of the record a member reads */
byte groupStart;                /* the segment the group began in */
#endif

#define CANDIE(who) (who && deaths<MAXC)

/* a reader can act on the record at p */
#define ACTABLE(w)   (ISCOMMITTED(w) || ISPADDING(w) || (ISRESERVED(w) && dead[OWNER(w)]))
#define AVAILABLE(p) (state[SLOT(SEG(p))]==OPEN(SEG(p)) && ACTABLE(word[CELL(p)]))

/* a reader of the first record of a batch finds the other one */
#define WHOLE(p) ((past[CELL(p)]&BATCHED)==0 || (ISCOMMITTED(word[CELL((p)+1)]) && data[CELL((p)+1)]==(p)+2))

/* low watermark >= p */
#define CURSOROK(c,p) (cursor[c]==0 || cursor[c]-1>=(p))
#if NX==2
#define CURSORSOK(p) (CURSOROK(1,p) && CURSOROK(2,p))
#else
#if NX==1
#define CURSORSOK(p) CURSOROK(1,p)
#else
#define CURSORSOK(p) true
#endif
#endif
#if NM
#define CLAIMOK(p) (claim==0 || claim-1>=(p))
#define INFLIGHTOK(m,p) (inflight[m]==0 || POSITION(inflight[m])>=(p))
#define GROUPOK(p) (CLAIMOK(p) && INFLIGHTOK(1,p) && INFLIGHTOK(2,p))
#else
#define GROUPOK(p) true
#endif

/* the conditions when a cell of the segment k-N is filled for k: no reader is in it or before it, and the group has finished it */
inline check_unused(k, c)
{
	assert(k<N || CURSORSOK((k-N+1)*S));
#if NM
	if
	:: k>=N && claim!=0 && k-N>=groupStart ->
		assert(past[c]==0 || (past[c]&FINISHED)!=0);
		assert((past[c]&PUBLISHED)==0 || (past[c]&DELIVERED)!=0);
		assert(reading[1]==0 || SEG(reading[1]-1)!=k-N);
		assert(reading[2]==0 || SEG(reading[2]-1)!=k-N)
	:: else
	fi
#endif
}

/* a ring slot's lock is free, or its owner is dead */
#define FREELOCK(s) (lock[s]==0 || dead[lock[s]])

#define K  (P/S)
#define SL ((P/S)%N)
#define LIMIT ((K-N+1)*S)

proctype Producer(byte me)
{
	byte P, n, i, w;
	bool locked;
#if AFTER
	byte q;         /* the claim that an opener looks at, + 1 */
#endif
#if REUSE && BURY
	bool alone;     /* reclaims under the whole lease */
#endif
#define DIE :: atomic { CANDIE(CRASHP) -> deaths++; dead[me]=true; goto gone }

#if SINGLE
start:
	if
	:: atomic { (seat==0 || dead[seat]) -> seat=me; goto newest }
	:: atomic { budget==0 -> goto leave }
	fi;
#endif
send:
	atomic {
		if
		:: budget>0 -> budget--;
			if
#if LENGTHS==0
			:: n=1
			:: n=2
#else
			:: n=LENGTHS
#endif
			fi
		:: budget==0 -> goto leave
		fi
	}
#if !SINGLE
hinted:
	P=hint;                                                 /* claim 1 */
#endif
enter:
	atomic {                                                /* claim 2 */
		if
		:: state[SL]==OPEN(K)
		:: state[SL]>OPEN(K) -> goto late
		:: state[SL]<OPEN(K) -> goto open
		fi
	}
walk:
	/* claim 3: read the word; if it is free, store claiming: in the same step if no participant reads it before this producer is dead */
	if
	:: atomic { word[CELL(P)]==FREE(K)
#if REUSE && CLAIMFIRST && !AFTER
		-> claiming[me]=P+1
#endif
	   }
	:: atomic { word[CELL(P)]!=FREE(K) ->
		w=word[CELL(P)];
		if
		:: ISRECORD(w) && LENGTH(w)>0 && P%S+LENGTH(w)<=S ->
			P=P+LENGTH(w); w=0;
			if
			:: P%S==0 -> goto enter
			:: else -> goto walk
			fi
		:: else -> w=0;
#if SINGLE
			assert(false)
#else
			goto hinted
#endif
		fi }
	DIE
	fi;
#if AFTER && CLAIMFIRST
	if
	:: claiming[me]=P+1
	DIE
	fi;
#endif
#if PLACE
	if
	:: P%S+n<=S -> goto place
	:: true
	fi;
#if CLAIMFREE
	if                                                      /* claim 3, SINGLE: a dead producer may have written here, in place */
	:: atomic { if :: P%S+n<S -> word[CELL(P+n)]=FREE(K) :: else fi }
	DIE
	fi;
#endif
#endif
	if                                                      /* claim 4: compare-and-swap; a plain store if SINGLE */
	:: atomic { word[CELL(P)]==FREE(K) ->
		assert(state[SL]==OPEN(K) && P==tail && past[CELL(P)]==0);
		past[CELL(P)]=CLAIMED;
		if
		:: P%S+n>S -> word[CELL(P)]=PADDING(S-P%S); P=(K+1)*S; tail=P; goto enter
#if BATCHWHOLE
		:: else -> word[CELL(P)]=RESERVED(n,me); tail=P+n
#else
		:: else -> word[CELL(P)]=RESERVED(1,me); tail=P+n
#endif
		fi }
	:: atomic { word[CELL(P)]!=FREE(K) -> assert(!SINGLE); goto walk }
	DIE
	fi;
#if (REUSE || AFTER) && !CLAIMFIRST
	if
	:: claiming[me]=P+1
	DIE
	fi;
#endif
#if !SINGLE
	if                                                      /* claim 5 */
	:: hint=P+n
	DIE
	fi;
#endif
	/* claim 6: the payload in one step, because no participant may look at it yet. The word inside the record can become anything but an
	   old free word; it may also stay as it is. */
	if
	:: atomic {
		data[CELL(P)]=P+1;
		if
		:: n==1
		:: n==2 -> data[CELL(P+1)]=P+1;
			if
			:: word[CELL(P+1)]=COMMITTED(1)
			:: word[CELL(P+1)]=RESERVED(1,1)
			:: skip
#if OLDFREE
			:: K>=N -> word[CELL(P+1)]=FREE(K-N)
#endif
			fi
		fi }
	DIE
	fi;
#if PART
	if
	:: n==2 -> goto part
	:: true
	fi;
#endif
#if BATCH
	if
	:: n==2 -> goto batch
	:: BATCHWHOLE || n==1
	fi;
#endif
	if                                                      /* publish */
	:: atomic {
		assert(word[CELL(P)]==RESERVED(n,me));
		word[CELL(P)]=COMMITTED(n); past[CELL(P)]=past[CELL(P)]|PUBLISHED }
	DIE
	fi;
next:
	atomic {
#if SINGLE
		P=P+n;
#else
		P=0;
#endif
		n=0; goto send
	}

#if PART
part:
	if
#if SINGLE
	:: atomic { word[CELL(P+1)]=FREE(K) }                   /* part 1: the rest is free again */
	DIE
	fi;
	if
	:: atomic { tail=P+1;                                   /* part 2 */
#else
#if PADFIRST
	:: word[CELL(P+1)]=PADDING(1)                           /* part 1: no participant looks at it yet */
	DIE
	fi;
	if
#endif
	:: atomic { past[CELL(P+1)]=CLAIMED;                    /* part 2 */
#endif
		assert(word[CELL(P)]==RESERVED(2,me));
		word[CELL(P)]=COMMITTED(1); past[CELL(P)]=past[CELL(P)]|PUBLISHED; n=1 }
	DIE
	fi;
#if !SINGLE && !PADFIRST
	if
	:: word[CELL(P+1)]=PADDING(1)
	DIE
	fi;
#endif
	goto next;
#endif

#if BATCH
batch:
#if BATCHLAST
	if                                                      /* batch 1: no participant looks at the second record yet */
	:: atomic { word[CELL(P+1)]=COMMITTED(1); data[CELL(P+1)]=P+2 }
	DIE
	fi;
#endif
	if                                                      /* batch 2: makes both visible */
	:: atomic {
		assert(LENGTH(word[CELL(P)])==1 || word[CELL(P)]==RESERVED(2,me));
		word[CELL(P)]=COMMITTED(1); past[CELL(P)]=past[CELL(P)]|PUBLISHED|BATCHED;
		past[CELL(P+1)]=CLAIMED|PUBLISHED }
	DIE
	fi;
#if !BATCHLAST
	if
	:: atomic { word[CELL(P+1)]=COMMITTED(1); data[CELL(P+1)]=P+2 }
	DIE
	fi;
#endif
	goto next;
#endif

#if PLACE
place:
	if                                                      /* place 1: the payload, after a word that is free. The word inside the record as for claim 6 */
	:: atomic {
		data[CELL(P)]=P+1;
		if
		:: n==1
		:: n==2 -> data[CELL(P+1)]=P+1;
			if
			:: word[CELL(P+1)]=COMMITTED(1)
			:: word[CELL(P+1)]=RESERVED(1,1)
			:: skip
			fi
		fi }
	DIE
	fi;
#if PLACEFREE
	if                                                      /* place 2 */
	:: atomic { if :: P%S+n<S -> word[CELL(P+n)]=FREE(K) :: else fi }
	DIE
	fi;
#endif
	if                                                      /* place 3: claims and publishes */
	:: atomic {
		assert(word[CELL(P)]==FREE(K) && state[SL]==OPEN(K) && P==tail && past[CELL(P)]==0);
		word[CELL(P)]=COMMITTED(n); past[CELL(P)]=CLAIMED|PUBLISHED; tail=P+n }
	DIE
	fi;
#if !PLACEFREE
	if
	:: atomic { if :: P%S+n<S -> word[CELL(P+n)]=FREE(K) :: else fi }
	DIE
	fi;
#endif
	goto next;
#endif

late:
#if !NEWEST
	goto hinted;
#endif
newest:
	/* the start of the largest open segment, read word by word */
	atomic { i=0; w=0 };
look:
	atomic {
		if
		:: ISOPEN(state[i]) && state[i]>w -> w=state[i]
		:: else
		fi;
		i++;
		if
		:: i<N -> goto look
		:: else -> i=0;
			if
			:: w==0 -> P=0
			:: else -> P=OPENED(w)*S
			fi;
			w=0;
#if SINGLE
			goto send
#else
			goto enter
#endif
		fi
	}

open:
	/* open 1 and 4: the low watermark, word by word */
#define FULL :: else -> i=0; if :: locked -> goto unlock :: else -> goto await fi
	atomic { if :: K<N || (!SCANFREE && !locked) -> goto scanned :: else -> i=1 fi };
scan:
	atomic { if :: i>NX -> i=1 :: i<=NX && CURSOROK(i,LIMIT) -> i++; goto scan FULL fi };
#if NM
#if SCANCLAIM
	atomic { if :: CLAIMOK(LIMIT) FULL fi };
#endif
scanGroup:
	atomic { if :: i>NM :: i<=NM && INFLIGHTOK(i,LIMIT) -> i++; goto scanGroup FULL fi };
#if !SCANCLAIM
	atomic { if :: CLAIMOK(LIMIT) FULL fi };
#endif
#endif
scanned:
#if AFTER && CLAIMLOOK
	atomic { i=0; if :: locked -> goto claims :: else fi };
#else
	atomic { i=0; if :: locked -> goto mark :: else fi };
#endif
	if                                                      /* open 2 */
	:: atomic { lock[SL]==0 -> lock[SL]=me; goto taken }
	:: atomic { lock[SL]!=0 -> w=lock[SL] }
	:: atomic { state[SL]>=OPEN(K) -> goto enter }
	DIE
	fi;
	/* from a dead owner: a share of its lease after the look at the lock, then compare-and-swap */
	if
	:: atomic { dead[w] -> shares[w]=shares[w]+STEAL }
	:: atomic { lock[SL]!=w -> w=0; goto scanned }
	fi;
	if
	:: atomic { shares[w]=shares[w]-STEAL;
		if
		:: lock[SL]==w -> lock[SL]=me; w=0
		:: else -> w=0; goto scanned
		fi }
	:: atomic { CANDIE(CRASHP) -> deaths++; shares[w]=shares[w]-STEAL; dead[me]=true; goto gone }
	fi;
taken:
	locked=true;
#if RECHECK
	atomic {                                                /* open 3 */
		if
		:: K<N && state[SL]==NEVER
		:: K>=N && state[SL]==OPEN(K-N)
		:: state[SL]==OPENING(K)
#if MARK==1
		:: K>=N && state[SL]==NEVER
#endif
		:: else -> goto unlock
		fi
	}
#endif
#if SCANLOCKED
	goto open;
#endif
#if AFTER && CLAIMLOOK
claims:
	/* open 5: the last claim of each producer, and the word there. Its record holds the segment while the producer lives, and becomes padding if
	   it is dead. The state does not change under the lock. */
	atomic {
		i++;
		if
		:: i>NP || K<N || state[SL]!=OPEN(K-N) -> i=0; goto mark
		:: else -> q=claiming[i];
			if
			:: q!=0 && SEG(q-1)==K-N
			:: else -> q=0; goto claims
			fi
		fi
	};
	atomic {
		w=word[CELL(q-1)];
		if
		:: ISRESERVED(w) && OWNER(w)==i
		:: else -> q=0; w=0; goto claims
		fi
	};
	if                                                      /* a share of its lease, and compare-and-swap */
	:: atomic { dead[i] ->
		if
		:: word[CELL(q-1)]==w -> assert(past[CELL(q-1)]&CLAIMED); word[CELL(q-1)]=PADDING(LENGTH(w))
		:: else
		fi;
		q=0; w=0; goto claims }
	:: atomic { !dead[i] -> i=0; q=0; w=0; goto unlock }
	DIE
	fi;
#endif
mark:
	if                                                      /* open 6, then a fence */
#if MARK==0
	:: skip
#endif
#if MARK==1
	:: state[SL]=NEVER
#endif
#if MARK==2
	:: state[SL]=OPENING(K)
#endif
#if MARK==3
	:: state[SL]=OPEN(K)
#endif
	DIE
	fi;
fill:
	if                                                      /* open 7 */
	:: atomic {
		check_unused(K, SL*S+i);
		word[SL*S+i]=FREE(K); data[SL*S+i]=0; past[SL*S+i]=0; i++;
		if
		:: i<S -> goto fill
		:: else -> i=0
		fi }
	DIE
	fi;
	if                                                      /* open 8 */
	:: state[SL]=OPEN(K)
	DIE
	fi;
unlock:
	if                                                      /* open 9 */
	:: atomic { lock[SL]=0; locked=false }
	DIE
	fi;
await:
	((K<N || (CURSORSOK(LIMIT) && GROUPOK(LIMIT) && !ISWRITTEN(K-N))) || state[SL]>=OPEN(K)) -> goto enter;

gone:
	atomic { P=0; n=0; i=0; w=0; locked=false
#if AFTER
		; q=0
#endif
	};
	/* a new producer reclaims the slot of the dead one under the membership lock, and gets the number; or none does */
#if REUSE && BURY
#define DIEBURYING :: atomic { CANDIE(CRASHP) -> deaths++; dead[REGISTRAR]=true; \
	if :: alone -> alone=false; dead[me]=true :: else -> shares[me]-- fi; goto gone }

	if                                                      /* bury 0: under a share of the dead producer's lease, or under the whole lease */
	:: atomic { CANTAKE(REGISTRAR) -> dead[REGISTRAR]=false; shares[me]++ }
	:: atomic { CANTAKE(REGISTRAR) && CANTAKE(me) -> dead[REGISTRAR]=false; dead[me]=false; alone=true }
	:: goto leave
	fi;
#if BURY==2
bury:
	if                                                      /* bury 1: free its locks */
#if BURYSWAP
	:: atomic { if :: lock[i]==me -> lock[i]=0 :: else fi;
		i++; if :: i<N -> goto bury :: else -> i=0 fi }
#else
	:: lock[i]==me -> atomic { lock[i]=0; i++; if :: i<N -> goto bury :: else -> i=0 fi }
	:: atomic { lock[i]!=me -> i++; if :: i<N -> goto bury :: else -> i=0 fi }
#endif
	DIEBURYING
	fi;
#endif
	atomic { if :: claiming[me]==0 -> goto buried :: else -> P=claiming[me]-1 fi };
#if BURYLOCK
	if                                                      /* bury 2: the last holder of the membership lock may have died with the ring slot's lock */
	:: atomic { FREELOCK(SL) || lock[SL]==REGISTRAR -> lock[SL]=REGISTRAR }
	DIEBURYING
	fi;
#endif
	atomic {                                                /* bury 3: the segment is still there, and so is its claim */
		if
		:: state[SL]==OPEN(K)
		:: else -> goto resolved
		fi
	};
	atomic {
		w=word[CELL(P)];
		if
		:: ISRESERVED(w) && OWNER(w)==me
		:: else -> goto resolved
		fi
	};
	if                                                      /* bury 4: compare-and-swap */
	:: atomic { word[CELL(P)]==w -> assert(past[CELL(P)]&CLAIMED); word[CELL(P)]=PADDING(LENGTH(w)) }
	:: word[CELL(P)]!=w
	DIEBURYING
	fi;
resolved:
#if BURYLOCK
	if                                                      /* bury 5 */
	:: lock[SL]=0
	DIEBURYING
	fi;
#endif
buried:
#if BURY==1
bury:
	if
	:: atomic { if :: lock[i]==me -> lock[i]=0 :: else fi;
		i++; if :: i<N -> goto bury :: else -> i=0 fi }
	DIEBURYING
	fi;
#endif
#if SINGLE && BURYSEAT
	if                                                      /* bury 6: compare-and-swap */
	:: atomic { if :: seat==me -> seat=0 :: else fi }
	DIEBURYING
	fi;
#endif
	if                                                      /* bury 7 */
	:: atomic { alone -> alone=false; dead[REGISTRAR]=true }
	:: atomic { !alone -> shares[me]-- };
		/* a participant that looks at the number keeps it from being taken */
		atomic { CANTAKE(me) -> dead[me]=false; dead[REGISTRAR]=true }
	DIEBURYING
	fi;
#else
	if
#if REUSE
	:: dead[me]=false
#endif
	:: goto leave
	fi;
#endif
	atomic { P=0; w=0;
#if SINGLE
		goto start
#else
		goto send
#endif
	};

leave:
	atomic { P=0; n=0; running--;
#if SINGLE
		if :: seat==me && !dead[me] -> seat=0 :: else fi
#endif
	}
}
#undef DIE
#undef DIEBURYING

#if NX
proctype Consumer(byte c)
{
	byte P, w;
	bool there;     /* the cursor is placed */
#define me CONSUMER(c)
#define DIE :: atomic { CANDIE(CRASHC) -> deaths++; dead[me]=true; goto gone }

open:
	atomic {
		P=0; w=0;
		if
		:: cursor[c]!=0 -> P=cursor[c]-1
		:: else -> goto join
		fi
	}
read:
	/* state and word in one step: the cursor holds both */
	if
	:: atomic { AVAILABLE(P) ->
		w=word[CELL(P)];
		assert(past[CELL(P)]&CLAIMED);
		if
		:: ISRESERVED(w) -> goto pad
		:: ISPADDING(w) -> assert((past[CELL(P)]&PUBLISHED)==0); goto commit
		:: ISCOMMITTED(w) -> assert(past[CELL(P)]&PUBLISHED); assert(WHOLE(P))
		fi }
	:: atomic { running==0 && !AVAILABLE(P) -> assert(P==tail); goto end }
#if MOVES
	:: atomic { c==NX && moves>0 -> moves--; goto join }    /* seek */
#if NX==2
	:: atomic { c==NX && moves>0 -> moves--; goto delete }
#endif
#endif
	fi;
	atomic { assert(data[CELL(P)]==P+1) };
	atomic { assert(LENGTH(w)==1 || data[CELL(P+1)]==P+1) };
commit:
	if
	:: atomic { P=P+LENGTH(w); w=0; cursor[c]=P+1 }
#if DEFER
	:: atomic { ISCOMMITTED(w) && P%S+LENGTH(w)<S && ISCOMMITTED(word[CELL(P+LENGTH(w))]) -> P=P+LENGTH(w); w=0 }
#endif
	DIE
	fi;
	goto read;
pad:
	if                                                      /* compare-and-swap */
	:: atomic { word[CELL(P)]==w -> word[CELL(P)]=PADDING(LENGTH(w)); w=0 }
	:: atomic { word[CELL(P)]!=w -> w=0 }
	DIE
	fi;
	goto read;

#if MOVES && NX==2
delete:
	if
	:: cursor[c]=0
	DIE
	fi;
	if
	:: goto join
	:: goto end
	fi;
#endif

join:
	/* join 1: any segment that is open, the oldest or the newest; the first one before it is open */
	atomic {
		w=0;
		if
		:: ISOPEN(state[0]) -> P=OPENED(state[0])*S
		:: ISOPEN(state[1]) -> P=OPENED(state[1])*S
		:: state[0]<OPEN(0) -> P=0
		fi;
#if AFTER
		w=SL
#endif
	};
#if JOINLOCK
	if                                                      /* join 2 */
	:: atomic { FREELOCK(SL) -> lock[SL]=me }
	DIE
	fi;
#endif
	atomic {                                                /* join 3 */
		if
		:: state[SL]==OPEN(K) || (K==0 && state[SL]<OPEN(0)) -> there=true
		:: else -> goto joined
		fi;
#if AFTER
		/* over some of its records. Where one ends stays the same, so one step for all hides nothing */
		do
		:: ISRECORD(word[CELL(P)]) ->
			P=P+LENGTH(word[CELL(P)]);
			if
			:: P%S==0 -> break
			:: else
			fi
		:: break
		od
#endif
	};
	if                                                      /* join 4 */
	:: cursor[c]=P+1
	DIE
	fi;
joined:
#if JOINLOCK
	if                                                      /* join 5 */
#if AFTER
	:: lock[w]=0
#else
	:: lock[SL]=0
#endif
	DIE
	fi;
#endif
	if
	:: atomic { there -> there=false; w=0; goto read }
	:: atomic { !there -> goto join }
	fi;

gone:
	/* the next consumer takes the name and the number, and frees the locks of the dead one */
	atomic { CANTAKE(me) -> P=0; w=0; there=false; dead[me]=false };
	atomic { if :: lock[0]==me -> lock[0]=0 :: else fi };
	atomic { if :: lock[1]==me -> lock[1]=0 :: else fi };
	goto open;
end:
	atomic { P=0; w=0 }
#undef me
#undef DIE
}
#endif

#if NM
#define ADOPTABLE(d) (dead[MEMBER(d)] && inflight[d]!=0 && !leased[d])
#define OTHER (3-m)

proctype Member(byte m)
{
	byte P, w, d;
#define me MEMBER(m)
#define DIE :: atomic { CANDIE(CRASHC) -> deaths++; dead[me]=true; leased[OTHER]=false; reading[m]=0; goto gone }

#if JOIN==2
	/* the first member adds the group, with the steps of join; its death there is in the model of exclusive consumers */
	if
	:: m==1
	:: m==2 -> claim!=0; goto take
	fi;
join:
	atomic {
		if
		:: ISOPEN(state[0]) -> P=OPENED(state[0])*S
		:: ISOPEN(state[1]) -> P=OPENED(state[1])*S
		:: state[0]<OPEN(0) -> P=0
		fi
	};
#if JOINLOCK
	atomic { FREELOCK(SL) -> lock[SL]=me };
#endif
	atomic {
		if
		:: state[SL]==OPEN(K) || (K==0 && state[SL]<OPEN(0))
		:: else -> goto refused
		fi
	};
	atomic { claim=P+1; groupStart=K };
#if JOINLOCK
	lock[SL]=0;
#endif
	goto take;
refused:
#if JOINLOCK
	lock[SL]=0;
#endif
	goto join;
#endif
take:
	atomic {
		P=0; w=0; d=0;
		if
		:: ADOPTABLE(OTHER) -> d=OTHER; goto adopt
		:: AVAILABLE(claim-1)
		:: running==0 && !AVAILABLE(claim-1) && inflight[OTHER]==0 -> assert(claim-1==tail); goto end
		fi
	}
	P=claim-1;                                              /* take 1 */
#if ANNOUNCE
	if                                                      /* take 2, then a fence */
	:: inflight[m]=WORD(P,TENTATIVE)
	DIE
	fi;
	atomic { if :: claim==P+1 :: else -> goto quit fi };    /* take 3 */
#else
	atomic { if :: claim==P+1 :: else -> goto take fi };
	if
	:: inflight[m]=WORD(P,TENTATIVE)
	DIE
	fi;
#endif
look:
	/* take 4: state and word in one step, because the announcement holds both. The compare-and-swap to padding is part of it: it
	   succeeds only on the word that was read. */
	if
	:: atomic { AVAILABLE(P) && !ISRESERVED(word[CELL(P)]) -> w=word[CELL(P)] }
	:: atomic { AVAILABLE(P) && ISRESERVED(word[CELL(P)]) ->
		assert(past[CELL(P)]&CLAIMED);
		word[CELL(P)]=PADDING(LENGTH(word[CELL(P)])); goto look }
	:: atomic { !AVAILABLE(P) -> goto quit }
	DIE
	fi;
#if TENTATIVE
	if                                                      /* take 5 */
	:: inflight[m]=WORD(P,0)
	DIE
	fi;
#endif
	if                                                      /* take 6: compare-and-swap */
	:: atomic { claim==P+1 ->
		assert(word[CELL(P)]==w && (past[CELL(P)]&CLAIMED) && state[SL]==OPEN(K));
		claim=P+LENGTH(w)+1 }
	:: atomic { claim!=P+1 -> goto quit }
	DIE
	fi;
	if                                                      /* take 7 */
	:: atomic { ISPADDING(w) -> assert((past[CELL(P)]&PUBLISHED)==0); goto done }
	:: atomic { ISCOMMITTED(w) -> reading[m]=P+1; assert(data[CELL(P)]==P+1); assert(WHOLE(P)) }
	fi;
	atomic { assert(LENGTH(w)==1 || data[CELL(P+1)]==P+1) };
	atomic {
		assert(past[CELL(P)]&PUBLISHED);
		assert((past[CELL(P)]&UNFLAGGED)==0);
		past[CELL(P)]=past[CELL(P)]|DELIVERED|UNFLAGGED };
done:
	if
	:: atomic { inflight[m]=0; reading[m]=0; past[CELL(P)]=past[CELL(P)]|FINISHED }
#if CLOSE
	:: atomic { ISCOMMITTED(w) -> dead[me]=true; reading[m]=0; goto gone }
#endif
	DIE
	fi;
	goto take;
quit:
	if
	:: inflight[m]=0
	DIE
	fi;
	goto take;

adopt:
	atomic {                                                /* adopt 1: win the lease */
		if
		:: d==m && inflight[m]!=0
		:: d!=m && ADOPTABLE(d) -> leased[d]=true
		:: else -> goto take
		fi
	};
	atomic { P=POSITION(inflight[d]); if :: inflight[d]%2==1 -> goto drop :: else fi };     /* adopt 2 */
	atomic { if :: claim>P+1 :: else -> goto drop fi };
#if !ADOPT
	if
	:: inflight[m]=WORD(P,0)
	DIE
	fi;
	if
	:: inflight[d]=0
	DIE
	fi;
#endif
	atomic {                                                /* adopt 3 */
		w=word[CELL(P)]; reading[m]=P+1;
		assert(state[SL]==OPEN(K) && (ISCOMMITTED(w) || ISPADDING(w)) && (past[CELL(P)]&CLAIMED));
		if :: ISPADDING(w) -> goto adopted :: else fi };
	atomic { assert(data[CELL(P)]==P+1) };
	atomic { assert(LENGTH(w)==1 || data[CELL(P+1)]==P+1) };
	atomic { assert(past[CELL(P)]&PUBLISHED); past[CELL(P)]=past[CELL(P)]|DELIVERED };
adopted:
	if                                                      /* adopt 4: the word, then the lease; no participant looks at the lease of a clear word */
#if ADOPT
	:: atomic { inflight[d]=0; leased[d]=false; reading[m]=0; past[CELL(P)]=past[CELL(P)]|FINISHED }
#else
	:: atomic { inflight[m]=0; leased[d]=false; reading[m]=0; past[CELL(P)]=past[CELL(P)]|FINISHED }
#endif
	DIE
	fi;
	goto take;
drop:
	if
	:: atomic { inflight[d]=0; leased[d]=false }
	DIE
	fi;
	goto take;

gone:
	/* a new member takes the lease of this number and takes over the message that is announced there; or none does, if the other one lives */
	atomic {
		P=0; w=0; d=0;
		if
		:: !leased[m] -> dead[me]=false;
			if
			:: inflight[m]!=0 -> d=m; goto adopt
			:: else -> goto take
			fi
		:: !dead[MEMBER(OTHER)] -> goto end
		fi
	};
end:
	atomic { P=0; w=0; d=0 }
#undef me
#undef DIE
}
#endif

init {
	atomic {
		dead[REGISTRAR]=true;
#if NX
		cursor[1]=1;
#endif
#if NX==2 && JOIN!=1
		cursor[2]=1;
#endif
#if NM && JOIN!=2
		claim=1;
#endif
		run Producer(1);
#if NP>1
		run Producer(2);
#endif
#if NX
		run Consumer(1);
#endif
#if NX==2
		run Consumer(2);
#endif
#if NM
		run Member(1); run Member(2);
#endif
	}
}
