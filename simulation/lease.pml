/*
 * The lease protocol of docs/uniqueness.md for the model checker Spin: rules R1, R2, R5 and R8, each of which can be
 * switched off to see what it prevents. `node simulation/model.ts` checks all of it; by hand:
 *
 *   spin -a -DR2=0 lease.pml && cc -O2 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan && spin -t -T -DR2=0 lease.pml
 *
 * What is modelled, and how it covers more than it shows:
 *
 * Clocks.    Every reading of every clock, the clients' and the store's, is any time in 0 … END, whatever was
 *            read before: clocks stand still, run wild, jump back and forth (so R3 is not needed here).
 * Network.   What was sent once is on the way for ever: it may arrive never, late, twice, in any order. So a lost
 *            message, a retry under the same requestId and a duplicate need no step of their own. Only a client
 *            that gives up its request (shutdown, abort) has one.
 * Crashes.   A client may stop for good after any step. One that starts again remembers nothing and gets no
 *            responses to its former life's requests: it is another client.
 * Fail-over. A store that keeps what it acknowledged loses at most grants that no client was told of, which is as if
 *            they never were, and releases, which is as if they were still on the way; its new clock is as free
 *            as the old one. -DLOSS=1 adds a fail-over that loses more.
 * Services.  Services of one pool have their own durations: every lease gets any `created < expired ≤
 *            fallbackUntil`. A client goes on in the fallback half whenever it likes, not only when it must.
 * IDs.       Two IDs clash when different leases made them with the same slot, half and timestamp. Instead of all
 *            IDs ever made, one is noted, chosen freely; Spin tries every choice, so no clash escapes. (The others
 *            would only narrow what their client may sign a release with.)
 * Renewals.  With -DRENEWALS=1 a request may name a lease that its client holds. If that still is its slot's lease when
 *            the request arrives, the pool grants the same slot anew; if not, any free slot. The client may then use
 *            both leases: that it drops the old one is a choice among others. R6 keeps the IDs of one client apart, so
 *            that only clashes of two clients count (-DACROSS=1).
 *
 * Not modelled: sequence numbers and R6 (the IDs within one lease or client; without R6 this model allows more than
 * the client does), R4 (changes of layout), R7 (a store that forgot: that is in loss.pml), random fallback (odds, not
 * a promise), more than one lease a response (each is looked up, used and released on its own).
 */

#ifndef R1
#define R1 1 /* 0: checks the window, pauses, then writes another reading of the clock, maybe beyond the window */
#endif
#ifndef R2
#define R2 1 /* 0: a release forgets the window, as if the lease were deleted */
#endif
#ifndef R5
#define R5 1 /* 0: the slot is free from `expired`, though its client may go on in the fallback half */
#endif
#ifndef R8
#define R8 1 /* 0: a response is installed whenever it arrives */
#endif

/* What the rules take for granted; each can be broken. */
#ifndef LOSS
#define LOSS 0 /* 1: the store acknowledges before it replicates, and fails over */
#endif
#ifndef SIGNED
#define SIGNED 1 /* 0: a release counts for whichever lease holds the slot */
#endif
#ifndef STRAY
#define STRAY 0 /* 1: responses also reach clients that sent no request (a restarted process, a shared queue) */
#endif
#ifndef FORGETFUL
#define FORGETFUL 0 /* 1: a client forgets a lease once its clock has shown `fallbackUntil`, and the clock steps back */
#endif

/* Renewal in place, and what it rests on. */
#ifndef RENEWALS
#define RENEWALS 0
#endif
#ifndef ALONE
#define ALONE 1 /* 0: a client that releases a lease goes on with others of the slot */
#endif
#ifndef ABOVE_ALL
#define ABOVE_ALL 1 /* 0: the timestamp of a release may be below those used under other leases */
#endif
#ifndef NOT_BEFORE
#define NOT_BEFORE 1 /* 0: a renewal may begin before the lease that it renews */
#endif
#ifndef LONGEST
#define LONGEST 1 /* 0: the slot is free from the end of the renewal, though the renewed lease may end later */
#endif

/* How much of it is searched. */
#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef REQUESTS
#define REQUESTS 2 /* of each client */
#endif
#ifndef SLOTS
#define SLOTS 1
#endif
#ifndef GRANTS
#define GRANTS 3
#endif
#ifndef END
#define END 5 /* at most 7: times fit three bits */
#endif
#ifndef ACROSS
#define ACROSS 0 /* 1: only clashes between two clients count; R6 keeps those of one client apart in any case */
#endif

#define BEGIN 1 /* the earliest window, so that a clock can be before it */

#define MIN(a, b) ((a) < (b) -> (a) : (b))
#define MAX(a, b) ((a) > (b) -> (a) : (b))

mtype = { lower, upper, unknown, held, gone };

/* A lease, numbered from 1 in the order of grants: the number stands for its secret. Number 0 is no lease. */
typedef Lease {
  unsigned client : 2;
  unsigned request : 2;
  unsigned slot : 1;
  unsigned created : 3;
  unsigned expired : 3;
  unsigned fallbackUntil : 3;
  mtype known = unknown; /* what its client knows of its secret; `gone`: released */
  bit releasing;                   /* a signed release is on the way, from now on for ever … */
  unsigned signedNext : 3;         /* … with this timestamp + 1 */
};
Lease lease[GRANTS + 1];
unsigned granted : 3;

/* What the store keeps for a slot. */
typedef Slot {
  unsigned holder : 3; /* the last lease; a release must be signed with its secret */
  bit released;
  unsigned freeFrom : 3 = BEGIN;
};
Slot slot[SLOTS];
#if LOSS
Slot replica[SLOTS];
#endif

typedef Requests {
  unsigned sent : 2; /* 1 … sent are on the way, for ever */
  unsigned pending : 2;
#if RENEWALS
  byte renews[REQUESTS + 1]; /* the lease that each request names; 0: none */
#endif
};
Requests requests[CLIENTS];

/* The one ID that is remembered. */
typedef Noted {
  unsigned lease : 3;
  mtype half;
  unsigned t : 3;
};
Noted noted;

#if ACROSS
#define another(l) (noted.lease != 0 && lease[noted.lease].client != lease[l].client)
#else
#define another(l) (noted.lease != 0 && noted.lease != (l))
#endif
#if RENEWALS && ABOVE_ALL
#define usedUnder(l) (noted.lease != 0 && lease[noted.lease].client == lease[l].client)
#else
#define usedUnder(l) (noted.lease == (l))
#endif
#define endOfWindow(l) (R5 -> lease[l].fallbackUntil : lease[l].expired)

/* Makes an ID; it may become the one that is noted, or clash with it. Slots are alike: slot 0 stands for any. */
inline make(l, inHalf, t) {
  if
  :: noted.lease == 0 && lease[l].slot == 0 ->
     noted.lease = l;
     noted.half = inHalf;
     noted.t = t;
     printf("client %d makes an ID under lease %d: t = %d, slot %d, %e half\n", c + 1, l, t, lease[l].slot, noted.half)
  :: noted.t == t && noted.half == inHalf && lease[noted.lease].slot == lease[l].slot && another(l) ->
     printf("client %d makes the same ID under lease %d\n", c + 1, l);
     assert(false) /* two leases made the same ID */
  :: else
  fi
}

/*
 * R2: signed with a timestamp not below any used under the lease, which is not used again; `next` is one above the
 * lowest that is allowed. Of the timestamps outside the window only the lowest is tried: the pool limits them all.
 */
inline sendRelease(l) {
#if RENEWALS && ALONE
  /* The slot may soon be another client's: this one uses no lease of it that it has. */
  d_step {
    i = 1;
    do
    :: i <= granted ->
       if
       :: lease[i].client == c && lease[i].known == held && lease[i].slot == lease[l].slot ->
          lease[i].known = gone;
          bury(i)
       :: else
       fi;
       i++
    :: else -> break
    od;
    i = 0
  }
#endif
  if
  :: true
  :: select (next : MAX(next, lease[l].created) .. lease[l].fallbackUntil)
  fi;
  lease[l].releasing = 1;
  lease[l].signedNext = next;
  printf("client %d signs a release of lease %d at t = %d\n", c + 1, l, next - 1);
  next = 0;
  bury(l)
}

/* Wipes what no step reads again, so that states that differ in nothing else are one. */
inline bury(l) {
#if R8 && SIGNED && !FORGETFUL && !STRAY && !LOSS
  if
  :: lease[l].known == gone && slot[lease[l].slot].holder != l ->
     lease[l].created = 0;
     lease[l].expired = 0;
     lease[l].fallbackUntil = 0;
     lease[l].releasing = 0;
     lease[l].signedNext = 0
  :: else
  fi
#else
  skip
#endif
}

/* A request to renew what is no longer its slot's lease is like any other. */
inline outdate(l) {
#if RENEWALS
  d_step {
    c = 0;
    do
    :: c < CLIENTS ->
       r = 1;
       do
       :: r <= requests[c].sent ->
          requests[c].renews[r] = (requests[c].renews[r] == l -> 0 : requests[c].renews[r]);
          r++
       :: else -> break
       od;
       c++
    :: else -> break
    od;
    c = 0;
    r = 0
  }
#else
  skip
#endif
}

/*
 * Atomic steps of a client are what its code does between two awaits: JavaScript runs that without a break, and what
 * it reads and writes there is its own. Anything may happen between two steps.
 */
proctype Client(byte c) {
  byte l, i, t, next;
#if !R1
  byte checked;
  mtype checkedHalf;
#endif

end:
  do
  /* Asks. Clients are alike, so it is enough to let them begin in order. */
  :: atomic {
       requests[c].pending == 0 && requests[c].sent < REQUESTS && (c == 0 || requests[MAX(c, 1) - 1].sent > 0) ->
       requests[c].sent++;
       requests[c].pending = requests[c].sent;
#if RENEWALS
       select (l : 0 .. granted);
       if
       :: l != 0 && lease[l].client == c && lease[l].known == held ->
          requests[c].renews[requests[c].sent] = l;
          printf("client %d sends request %d to renew lease %d\n", c + 1, requests[c].sent, l)
       :: else -> printf("client %d sends request %d\n", c + 1, requests[c].sent)
       fi;
       l = 0
#else
       printf("client %d sends request %d\n", c + 1, requests[c].sent)
#endif
     }

  /* Gives up; the response may still come. */
  :: atomic {
       requests[c].pending != 0 ->
       requests[c].pending = 0;
       printf("client %d gives up request %d\n", c + 1, requests[c].sent)
     }

  /* Something happens to a lease. */
  :: atomic {
       granted > 0 ->
       select (l : 1 .. granted);
       if
       /* Its response arrives: for the first time, again, or long after its request was given up. */
       /* R8: look up the secret first; a known one is ignored. */
       :: lease[l].client == c && (lease[l].known == unknown || !R8) ->
          if
          /* It names the pending request, or none, as a simple provider's. */
          :: requests[c].pending != 0 || !R8 ->
             lease[l].known = held;
             requests[c].pending = 0;
             printf("client %d gets the response to request %d and installs lease %d\n", c + 1, lease[l].request, l)
          :: requests[c].pending != lease[l].request && R8 ->
             /* R8: an unwanted lease is remembered, then released. Its client knows of no use of it. */
             printf("client %d gets a response to request %d and does not want lease %d\n", c + 1, lease[l].request, l);
             lease[l].known = gone;
             next = (RENEWALS && usedUnder(l) -> noted.t + 1 : BEGIN);
             sendRelease(l)
          fi

       /* An ID is made. */
#if R1
       :: lease[l].client == c && lease[l].known == held ->
          select (t : 0 .. END);
          /* R1: the t that is checked is the t that is written, in this one step. */
          if
          :: lease[l].created <= t && t < lease[l].expired -> make(l, lower, t)
          :: lease[l].expired <= t && t < lease[l].fallbackUntil -> make(l, upper, t) /* R5 */
          :: else
          fi;
          t = 0
#else
       :: lease[l].client == c && lease[l].known == held && checked == 0 ->
          select (t : 0 .. END);
          if
          :: lease[l].created <= t && t < lease[l].expired -> checked = l; checkedHalf = lower
          :: lease[l].expired <= t && t < lease[l].fallbackUntil -> checked = l; checkedHalf = upper
          :: else
          fi;
          if
          :: checked != 0 -> printf("client %d finds lease %d valid at t = %d and is paused\n", c + 1, l, t)
          :: else
          fi;
          t = 0
       :: lease[l].client == c && checked == l ->
          select (t : lease[l].created .. END);
          make(l, checkedHalf, t);
          t = 0;
          checked = 0;
          checkedHalf = 0
#endif

       /* It is released: at hand-over, at shutdown, in fallback. */
       :: lease[l].client == c && lease[l].known == held ->
          lease[l].known = gone;
          next = (usedUnder(l) -> noted.t + 1 : BEGIN);
          sendRelease(l)

#if STRAY
       :: lease[l].client != c ->
          printf("client %d gets a response for client %d and does not want lease %d\n", c + 1, lease[l].client + 1, l);
          next = BEGIN;
          sendRelease(l)
#endif
#if FORGETFUL
       :: lease[l].client == c && lease[l].known != unknown ->
          lease[l].known = unknown;
          printf("client %d reads a clock at t = %d and forgets lease %d\n", c + 1, lease[l].fallbackUntil, l)
#endif
       :: else
       fi;
       l = 0
     }
  od
}

/* Atomic steps of the pool are transactions of its store: one script, one SQL transaction, one compare-and-swap. */
proctype Pool() {
  byte c, r, s, i, l, from, now, expired, fallbackUntil;

end:
  do
  /* An acquire arrives, maybe not for the first time. */
  :: atomic {
       granted < GRANTS ->
       select (c : 0 .. CLIENTS - 1);
       if
       :: requests[c].sent > 0 ->
          select (r : 1 .. requests[c].sent);
          select (s : 0 .. SLOTS - 1);
          /* R8: a known request whose lease is unreleased gets the same response, which is on its way already. */
          i = 0;
          do
          :: i < SLOTS && !(slot[i].holder != 0 && !slot[i].released && lease[slot[i].holder].client == c && lease[slot[i].holder].request == r) ->
             i++
          :: else -> break
          od;
          /* R2: a window begins at or after the end of the last one. */
          from = slot[s].freeFrom;
#if RENEWALS
          l = requests[c].renews[r];
          if
          :: l != 0 && slot[lease[l].slot].holder == l && !slot[lease[l].slot].released ->
             /* A renewal may begin earlier, but not before the lease that it renews. */
             s = lease[l].slot;
             from = (NOT_BEFORE -> lease[l].created : BEGIN)
          :: else -> l = 0
          fi;
#endif
          if
          :: i == SLOTS && from < END ->
             /* R2: `now` is read once; the new `freeFrom` is stored before the response. */
             select (now : from .. END - 1);
             select (expired : now + 1 .. END);
             select (fallbackUntil : expired .. END);
             granted++;
             lease[granted].client = c;
             lease[granted].request = r;
             lease[granted].slot = s;
             lease[granted].created = now;
             lease[granted].expired = expired;
             lease[granted].fallbackUntil = fallbackUntil;
             i = slot[s].holder;
             slot[s].holder = granted;
             slot[s].released = 0;
             /* R5: held until the fallback's end, and that of a renewed lease, which may go on. */
             slot[s].freeFrom = (LONGEST -> MAX(slot[s].freeFrom, endOfWindow(granted)) : endOfWindow(granted));
             bury(i);
             printf("the pool grants request %d of client %d lease %d on slot %d: ", r, c + 1, granted, s);
             printf("created %d, expired %d, fallbackUntil %d\n", now, expired, fallbackUntil);
             outdate(i)
          :: else
          fi
       :: else
       fi;
       c = 0; r = 0; s = 0; i = 0; l = 0; from = 0; now = 0; expired = 0; fallbackUntil = 0
     }

  /* A release arrives, maybe not for the first time. It counts for the lease whose secret signed it, no other. */
  :: atomic {
       granted > 0 ->
       select (l : 1 .. granted);
       s = lease[l].slot;
       if
       :: lease[l].releasing && (slot[s].holder == l || !SIGNED) ->
          slot[s].released = 1;
          i = slot[s].holder;
          /* R2: the slot is free from the first timestamp that its lease cannot have used. */
          slot[s].freeFrom = (R2 -> MIN(slot[s].freeFrom, MAX(lease[i].created, lease[l].signedNext)) : BEGIN);
          i = 0;
          printf("the pool gets the release of lease %d: slot %d is free from %d\n", l, s, slot[s].freeFrom);
          outdate(l)
       :: else
       fi;
       l = 0; s = 0
     }

#if LOSS
  :: d_step {
       do
       :: s < SLOTS ->
          replica[s].holder = slot[s].holder;
          replica[s].released = slot[s].released;
          replica[s].freeFrom = slot[s].freeFrom;
          s++
       :: else -> break
       od;
       s = 0;
       printf("the store replicates\n")
     }
  :: d_step {
       do
       :: s < SLOTS ->
          slot[s].holder = replica[s].holder;
          slot[s].released = replica[s].released;
          slot[s].freeFrom = replica[s].freeFrom;
          s++
       :: else -> break
       od;
       s = 0;
       printf("the store fails over to its replica\n")
     }
#endif
  od
}

init {
  byte c;
  atomic {
    run Pool();
    do
    :: c < CLIENTS -> run Client(c); c++
    :: else -> break
    od;
    c = 0
  }
}
