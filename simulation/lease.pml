/*
 * The lease protocol of DESIGN.md section 4, small enough to be tried in every possible order.
 *
 * The promise: no number (slot, half, t) is ever used under two leases. Sequence numbers are left out: within one
 * lease and one t they only count up (R6).
 *
 * Modelled: clocks that read anything at any time, the store's too (R3 is no rule of uniqueness); requests, answers
 * and releases that are lost, late, repeated and overtaken; retries; releases; the fenced fallback; clients that
 * pause, give up a request, forget old secrets, crash and start again; fail-over of the store.
 * Not modelled: R4 (one layout here), R6 (taken for granted: a client's t never falls), random fallback (has odds,
 * no promise), answers with several leases, the +-30 s check of releases (this store obeys older ones too), and
 * R7: it notices a store that forgot only when a client that saw more comes by, so it lowers a risk and keeps no
 * invariant. -DLOSS=1 shows the duplicate that a forgetting store makes.
 *
 * -DR1=0, -DR2=0, -DR5=0, -DR8=0 switch a rule off; each gives a duplicate. `node simulation/model.ts` runs it all.
 *
 * What keeps it small:
 * - A message is never taken off the network: a fact that was sent can arrive at any later time, any number of
 *   times, or never. That is loss, delay, repetition and reordering at once, and needs no queue.
 * - Only one number is watched, chosen at the start. All choices are tried, so all numbers are watched.
 * - `atomic` stands around whatever the real code does in one synchronous stretch of JavaScript or in one
 *   transaction of the store. Between two of them anything may happen: that is the pause.
 * - Scratch variables are 0 between steps. No step blocks halfway: what cannot be done is skipped by `else`.
 */

#ifndef R1
#define R1 1
#endif
#ifndef R2
#define R2 1
#endif
#ifndef R5
#define R5 1
#endif
#ifndef R8
#define R8 1
#endif
#ifndef LOSS
#define LOSS 0
#endif

#ifndef SLOTS
#define SLOTS 1
#endif
#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef REQUESTS
#define REQUESTS 3
#endif
#ifndef LEASES
#define LEASES 3
#endif

/* Room for two whole windows, one after the other, fallback included. */
#ifndef LAST_TIME
#define LAST_TIME 5
#endif
#define DURATION 2
#define GRACE 1

/* Requests, leases and the slots' holders count from 1. */
#define NONE 0
#define NOBODY CLIENTS

mtype = { Unseen, Installed, Released };

typedef Request {
  byte client              /* the process that waits for the answer; NOBODY after its crash */
};

/* What an acquire answered (an answer that any later step may deliver), and what its client made of it. */
typedef Lease {
  byte request;
  byte slot;
  byte created;
  mtype status = Unseen;   /* as its client knows it */
  byte releases            /* on the network: bit ts is set when a release was signed with ts */
};

typedef Slot {
  byte freeFrom;           /* the end of the last window; R2: never forgotten */
  byte holder;             /* the lease whose secret a release must match */
  byte answered            /* the request that was answered with the holder */
};

Request request[REQUESTS + 1];
Lease lease[LEASES + 1];
Slot slot[SLOTS];
byte requests, leases;     /* how many there have been */
byte pending[CLIENTS];     /* the request whose answer the client would install */
byte last[CLIENTS];        /* the highest t it used since it started */

#define EXPIRED(l) (lease[l].created + DURATION)
#define FALLBACK_UNTIL(l) (EXPIRED(l) + GRACE)
#define IS_MINE(l) (request[lease[l].request].client == me)

/* The watched number, and the lease that used it. */
byte watchedSlot, watchedTime, user;
bool watchedFallback;

inline use(l, t, isFallback) {
  printf("client %d makes an ID: slot %d, t %d, half %d, under lease %d\n", me, lease[l].slot, t, isFallback, l);
  last[me] = t;
  if
  :: lease[l].slot == watchedSlot && t == watchedTime && isFallback == watchedFallback ->
     assert(user == NONE || user == l);
     user = l
  :: else
  fi
}

inline signRelease(l, ts) {
  /* R2: a timestamp not below any that this client used, and the lease is never used again. */
  if
  :: ts < last[me] -> ts = last[me]
  :: else
  fi;
  lease[l].releases = lease[l].releases | (1 << ts);
  lease[l].status = Released;
  printf("client %d signs the release of lease %d with %d\n", me, l, ts)
}

/* Each client is one process of the fleet; `me` is its number. */
proctype Client(byte me) {
  byte l, t, r;
#if !R1
  byte checked;            /* the lease whose window was checked, some time ago */
  bool checkedFallback;
#endif
  do
  /* Ask. One acquire at a time; retries carry the same requestId, so they are the same message (R8). */
  :: atomic {
       requests < REQUESTS && pending[me] == NONE ->
       requests++;
       request[requests].client = me;
       pending[me] = requests;
       printf("client %d sends request %d\n", me, requests)
     }

  /* An answer arrives: the first, a late one, or one that has come before. */
  :: atomic {
       leases > 0 ->
       select(l : 1 .. leases);
       if
       :: !IS_MINE(l)
#if R8
       /* R8: look up the secret first. What is or was installed or released is ignored. */
       :: IS_MINE(l) && lease[l].status != Unseen
       :: IS_MINE(l) && lease[l].status == Unseen && lease[l].request == pending[me] ->
#else
       :: IS_MINE(l) ->
#endif
          lease[l].status = Installed;
          pending[me] = NONE;
          printf("client %d installs lease %d\n", me, l)
#if R8
       /* R8: a lease that nobody waits for any more goes back. */
       :: IS_MINE(l) && lease[l].status == Unseen && lease[l].request != pending[me] ->
          select(t : 0 .. LAST_TIME);
          signRelease(l, t)
#endif
       fi;
       l = 0; t = 0
     }

  /* Make an ID. R1: the t that is checked is the t that is written, in one synchronous step. */
  :: atomic {
       leases > 0 ->
       select(l : 1 .. leases);
       if
       :: IS_MINE(l) && lease[l].status == Installed ->
          select(t : 0 .. LAST_TIME);
          if
          :: t < last[me]                                    /* R6: wait or refuse */
          :: t >= last[me] && lease[l].created <= t && t < EXPIRED(l) ->
#if R1
             use(l, t, false)
#else
             checked = l; checkedFallback = false;
             printf("client %d checks lease %d at t %d\n", me, l, t)
#endif
          :: t >= last[me] && EXPIRED(l) <= t && t < FALLBACK_UNTIL(l) ->
#if R1
             use(l, t, true)                                 /* R5: fenced, in the fallback half */
#else
             checked = l; checkedFallback = true;
             printf("client %d checks lease %d at t %d\n", me, l, t)
#endif
          :: else
          fi
       :: else
       fi;
       l = 0; t = 0
     }
#if !R1
  /* The rule broken: the clock is read again after the check, perhaps much later. */
  :: atomic {
       checked != NONE ->
       select(t : 0 .. LAST_TIME);
       if
       :: t >= last[me] -> use(checked, t, checkedFallback)
       :: else
       fi;
       checked = NONE; checkedFallback = false; t = 0
     }
#endif

  /* Release: at hand-over to a newer lease, at shutdown, at any time at all. */
  :: atomic {
       leases > 0 ->
       select(l : 1 .. leases);
       if
       :: IS_MINE(l) && lease[l].status == Installed ->
          select(t : 0 .. LAST_TIME);
          signRelease(l, t)
       :: else
       fi;
       l = 0; t = 0
     }

  /* Give up the request, as shutdown does; its answer may still come. */
  :: atomic {
       pending[me] != NONE ->
       printf("client %d gives up request %d\n", me, pending[me]);
       pending[me] = NONE
     }

  /* R8: secrets are remembered until fallbackUntil, by whatever the clock reads. An installed lease is
     dropped with its secret. */
  :: atomic {
       leases > 0 ->
       select(l : 1 .. leases);
       if
       :: IS_MINE(l) && lease[l].status != Unseen && FALLBACK_UNTIL(l) <= LAST_TIME ->
          lease[l].status = Unseen;
          printf("client %d forgets lease %d, its clock reads %d\n", me, l, FALLBACK_UNTIL(l))
       :: else
       fi;
       l = 0
     }

  /* Crash and start again, with nothing remembered. Answers to the old process reach nobody: they travel on its
     connections. Its requests and releases stay on the network. */
  :: atomic {
       requests > 0 ->
       for (r : 1 .. requests) {
         if
         :: request[r].client == me -> request[r].client = NOBODY
         :: else
         fi
       }
       pending[me] = NONE; last[me] = 0; r = 0;
#if !R1
       checked = NONE; checkedFallback = false;
#endif
       printf("client %d crashes and starts again\n", me)
     }
  od
}

/* The store with the servers before it, however many: each of their steps is one transaction. */
proctype Store() {
  byte r, l, s, t;
  do
  /* Acquire. R2: read now once, take a slot with freeFrom <= now, store its new freeFrom; only then is the lease on
     the network. */
  :: atomic {
       requests > 0 && leases < LEASES ->
       select(r : 1 .. requests);
       select(s : 0 .. SLOTS - 1);
       select(t : 0 .. LAST_TIME);
       if
       /* R8: a known request gets its answer again. That answer is on the network already. */
       :: slot[s].answered == r
       :: slot[s].answered != r && slot[s].freeFrom <= t ->
          leases++;
          lease[leases].request = r;
          lease[leases].slot = s;
          lease[leases].created = t;
          slot[s].holder = leases;
          slot[s].answered = r;
#if R5
          slot[s].freeFrom = FALLBACK_UNTIL(leases);
#else
          slot[s].freeFrom = EXPIRED(leases);
#endif
          printf("store, at %d, answers request %d: lease %d, slot %d, window [%d, %d), fallback until %d\n",
            t, r, leases, s, t, EXPIRED(leases), FALLBACK_UNTIL(leases))
       :: else
       fi;
       r = 0; s = 0; t = 0
     }

  /* Release. Its signature fits the slot's present holder only. */
  :: atomic {
       leases > 0 ->
       select(l : 1 .. leases);
       s = lease[l].slot;
       if
       :: slot[s].holder == l && lease[l].releases != 0 ->
          select(t : 0 .. LAST_TIME);
          if
          :: lease[l].releases & (1 << t) ->
#if R2
             /* freeFrom = min(fallbackUntil, max(created, ts + 1)) */
             if
             :: t + 1 < lease[l].created -> slot[s].freeFrom = lease[l].created
             :: t + 1 >= lease[l].created && t + 1 <= FALLBACK_UNTIL(l) -> slot[s].freeFrom = t + 1
             :: t + 1 > FALLBACK_UNTIL(l) -> slot[s].freeFrom = FALLBACK_UNTIL(l)
             fi;
#else
             slot[s].freeFrom = 0;
#endif
             slot[s].holder = NONE;
             slot[s].answered = NONE;
             printf("store releases lease %d (signed %d): slot %d is free from %d\n", l, t, s, slot[s].freeFrom)
          :: else
          fi
       :: else
       fi;
       l = 0; s = 0; t = 0
     }

  /* Fail-over: another server, with another clock, which the arbitrary clock is. What was acknowledged is kept; that
     requests were answered need not be (the promise does not rest on it). */
  :: atomic {
       for (s : 0 .. SLOTS - 1) {
         slot[s].answered = NONE;
#if LOSS
         slot[s].freeFrom = 0;
         slot[s].holder = NONE;
#endif
       }
       s = 0;
       printf("store fails over\n")
     }
  od
}

init {
  atomic {
    byte c;
    select(watchedSlot : 0 .. SLOTS - 1);
    select(watchedTime : 0 .. LAST_TIME);
    if
    :: watchedFallback = false
    :: watchedFallback = true
    fi;
    for (c : 0 .. CLIENTS - 1) {
      run Client(c)
    }
    run Store();
    c = 0
  }
}
