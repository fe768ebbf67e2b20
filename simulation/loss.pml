/*
 * Rule R7 of docs/uniqueness.md for the model checker Spin: a store that fails over to an older state, the quarantine
 * that follows, and renewals in quarantine. The rules for a store that keeps what it acknowledged are in lease.pml.
 * `node simulation/model.ts` checks both; by hand:
 *
 *   spin -a -DMARGIN=0 loss.pml && cc -O2 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan && spin -t -T -DMARGIN=0 loss.pml
 *
 * What is modelled, and how it covers more than it shows:
 *
 * Store.     It keeps one slot and the quarantine. A replica copies its state at any time, and the store fails over to
 *            that copy at any later time: grants, renewals, releases and the quarantine itself are lost, all or some.
 *            The next call finds another incarnation, and begins a quarantine before it decides anything.
 * Clocks.    A client's clock shows any time. So does the store's, with one bound: the clock that begins a quarantine is
 *            at most BEHIND behind the latest beginning of a lease that was granted before. Without such a bound
 *            a quarantine cannot know when it may end.
 * Network.   Requests and responses are on the way for ever, as in lease.pml. Clients ask for a lease, and to renew a lease
 *            that they have installed, as early as they can: a request that arrives late was sent early.
 * Releases.  They carry the lowest timestamp that is allowed, which frees the slot earliest.
 * Clients.   A client may hold several leases of the slot. That it drops a lease whose renewal has arrived needs no
 *            step, since a client need not use what it holds. Nor does it matter which request is pending: a client
 *            installs a response, or does not want it, or never gets it.
 * IDs.       Of two equal IDs client 1 makes the first, which is noted; the choice is free. R6 keeps the IDs of one
 *            client apart. Windows have one half here, and two in lease.pml.
 */

/* The rules; each can be switched off. */
#ifndef QUARANTINE
#define QUARANTINE 1 /* 0: the pool grants on after a fail-over */
#endif
#ifndef MARGIN
#define MARGIN 1 /* 0: a renewal in quarantine does not allow for clocks that are apart */
#endif
#ifndef NEWEST
#define NEWEST 1 /* 0: a lost lease is renewed although the store knows a lease of the slot that began later */
#endif
#ifndef ALONE
#define ALONE 1 /* 0: a client that releases a lease goes on with others of the slot */
#endif
#ifndef ENDED
#define ENDED 1 /* 0: a client installs the renewal of a lease that it has released */
#endif
#ifndef FROM_BEGIN
#define FROM_BEGIN 1 /* 0: the margin counts from now, which may be before the beginning of the quarantine */
#endif

/* What the rules take for granted; it can be broken. */
#ifndef AT_ONCE
#define AT_ONCE 1 /* 0: what was decided before a fail-over is written after it */
#endif

/* How much of it is searched. */
#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef GRANTS
#define GRANTS 4
#endif
#ifndef LOSSES
#define LOSSES 1
#endif
#ifndef END
#define END 4 /* of the store's clock */
#endif
#ifndef WINDOW
#define WINDOW 3 /* the longest; times fit four bits: END + WINDOW + BEHIND is at most 15 */
#endif
#ifndef SHORTEST
#define SHORTEST WINDOW
#endif
#ifndef BEHIND
#define BEHIND 1
#endif

#define MIN(a, b) ((a) < (b) -> (a) : (b))
#define MAX(a, b) ((a) > (b) -> (a) : (b))
#define LOWERED(a, b) ((a) > (b) -> (a) - (b) : 0)

mtype = { unknown, held, released, refused };

/* A lease, numbered from 1 in the order of grants: the number stands for its secret and its proof. */
typedef Lease {
  unsigned client : 2;
  unsigned renews : 3; /* the lease that it renews, until it is installed or refused; 0: none */
  unsigned created : 4;
  unsigned until : 4;
  mtype known = unknown; /* to its client; `released`: with its slot, `refused`: never installed */
  bit releasing;           /* a signed release is on the way, from now on for ever … */
  unsigned signedNext : 4; /* … with this timestamp + 1 */
};
Lease lease[GRANTS + 1];
unsigned granted : 3;

/* What the store keeps. */
typedef Store {
  unsigned holder : 3; /* the last lease of the slot */
  bit free;            /* … is released */
  unsigned freeFrom : 4;
  unsigned quarantine : 4; /* lasts until then … */
  unsigned begin : 4;      /* … from then on */
};
Store store;
Store replica;
bit another; /* the store is in another incarnation than its pool */
unsigned losses : 2;
unsigned latest : 4; /* the latest beginning of a lease */
unsigned lowest : 4; /* time that the clock shows when a quarantine begins */

unsigned noted : 4; /* t + 1 of the one ID that is remembered */

#define known(l) lease[l].known
#define keptLease(l) (store.holder == (l) || replica.holder == (l))

#define beginsLater(state, l) (state.holder != 0 && lease[state.holder].created >= lease[l].created)
/* Not renewed in any state that the store can get into. */
#define neverAgain(l) (NEWEST && beginsLater(store, l) && (losses == LOSSES || beginsLater(replica, l)))
#define neverWanted(l) (ENDED && known(l) == unknown && lease[l].renews != 0 && known(lease[l].renews) != held)

/* Wipes what is of no more interest, so that states that differ in nothing else are one. */
inline bury() {
  d_step {
    l = 1;
    do
    :: l <= granted ->
       if
       :: !keptLease(l) ->
          lease[l].releasing = 0;
          lease[l].signedNext = 0;
          if
          :: known(l) == refused || neverWanted(l) || (known(l) == released && neverAgain(l)) ->
             known(l) = refused;
             lease[l].client = 0;
             lease[l].renews = 0;
             lease[l].created = 0;
             lease[l].until = 0
          :: else
          fi
       :: else
       fi;
       l++
    :: else -> break
    od;
    l = 0
  }
}

proctype Clients() {
  byte c, l, i, t;

end:
  do
  :: atomic {
       granted > 0 ->
       select (l : 1 .. granted);
       c = lease[l].client;
       if
       /* It arrives, and is wanted. The renewal of a released lease is not: its slot may be another client's. */
       :: known(l) == unknown && (lease[l].renews == 0 || known(lease[l].renews) == held || !ENDED) ->
          known(l) = held;
          lease[l].renews = 0;
          printf("client %d installs lease %d\n", c + 1, l)

       /* It is released: because it is not wanted, at hand-over, at shutdown. */
       :: known(l) == unknown || known(l) == held ->
          /* The slot may soon be another client's: this one uses no lease of it that it has. */
          d_step {
            i = 1;
            do
            :: i <= granted ->
               if
               :: ALONE && i != l && lease[i].client == c && known(i) == held -> known(i) = released
               :: else
               fi;
               i++
            :: else -> break
            od;
            i = 0
          }
          known(l) = (known(l) == held -> released : refused);
          lease[l].renews = 0;
          lease[l].releasing = 1;
          lease[l].signedNext = (c == 0 -> MAX(noted, lease[l].created) : lease[l].created);
          printf("client %d signs a release of lease %d at t = %d\n", c + 1, l, lease[l].signedNext - 1);
          bury()

       /* An ID is made. */
       :: known(l) == held && c == 0 && noted == 0 ->
          select (t : lease[l].created .. lease[l].until - 1);
          noted = t + 1;
          printf("client %d makes an ID under lease %d: t = %d\n", c + 1, l, t);
          t = 0
       :: known(l) == held && c != 0 && lease[l].created < noted && noted <= lease[l].until ->
          printf("client %d makes the same ID under lease %d\n", c + 1, l);
          assert(false) /* two clients made the same ID */
       :: else
       fi;
       l = 0;
       c = 0
     }
  od
}

/* Reads the clock, and begins a quarantine if the store is in another incarnation. */
inline look() {
  select (now : (another -> lowest : 0) .. END);
#if QUARANTINE
  if
  :: another ->
     store.quarantine = MAX(store.quarantine, now + WINDOW + BEHIND);
     store.begin = MAX(store.begin, now);
     printf("the pool is in quarantine from %d until %d\n", now, store.quarantine)
  :: else
  fi;
#endif
  another = 0
}

#define inQuarantine (now < store.quarantine)
#define counted (FROM_BEGIN -> MAX(now, store.begin) : now)
#define lastsLonger(l) (counted + (MARGIN -> BEHIND : 0) < lease[l].until)

inline grant(from) {
  select (length : SHORTEST .. WINDOW);
  granted++;
  lease[granted].client = c;
  lease[granted].renews = l;
  lease[granted].created = from;
  lease[granted].until = from + length;
  store.holder = granted;
  store.free = 0;
  store.freeFrom = MAX(store.freeFrom, lease[granted].until);
  if
  :: losses < LOSSES -> latest = MAX(latest, from)
  :: else
  fi;
  printf("the pool grants client %d lease %d: created %d, until %d\n", c + 1, granted, from, from + length);
  length = 0;
  bury()
}

#define copyStore(to, of) \
  to.holder = of.holder; \
  to.free = of.free; \
  to.freeFrom = of.freeFrom; \
  to.quarantine = of.quarantine; \
  to.begin = of.begin

proctype Pool() {
  byte c, l, now, begin, length;
#if !AT_ONCE
  bit isDecided;
  byte readHolder, readAt;
#endif

end:
  do
  /* A request for a lease arrives. */
  :: atomic {
       granted < GRANTS ->
       look();
       if
       :: !inQuarantine && store.freeFrom <= now ->
          select (c : 0 .. CLIENTS - 1);
          grant(now)
       :: else
       fi;
       c = 0;
       now = 0
     }

  /* A request to renew a lease arrives, maybe long after the lease was released. */
  :: atomic {
       granted > 0 && granted < GRANTS ->
       select (l : 1 .. granted);
       if
       :: known(l) == held || known(l) == released ->
          look();
          c = lease[l].client;
          begin = MAX(now, lease[l].created);
          if
          :: store.holder == l && !store.free && (!inQuarantine || lastsLonger(l)) ->
             printf("the pool renews lease %d at %d\n", l, now);
             grant(begin)
          :: store.holder != l && inQuarantine && lastsLonger(l) && (!beginsLater(store, l) || !NEWEST) ->
             printf("the pool enters lease %d again and renews it at %d\n", l, now);
             store.freeFrom = MAX(store.freeFrom, lease[l].until);
             grant(begin)
          :: else
          fi
       :: else
       fi;
       l = 0;
       c = 0;
       now = 0;
       begin = 0
     }

#if !AT_ONCE
  /* A server reads and decides; then it writes, if the slot is as it was read. */
  :: atomic {
       !isDecided && granted < GRANTS && !another ->
       select (now : 0 .. END);
       if
       :: !inQuarantine && store.freeFrom <= now ->
          isDecided = 1;
          readHolder = store.holder;
          readAt = now;
          printf("the pool reads at %d that the slot is free\n", now)
       :: else
       fi;
       now = 0
     }
  :: atomic {
       isDecided && granted < GRANTS && store.holder == readHolder ->
       isDecided = 0;
       select (c : 0 .. CLIENTS - 1);
       now = readAt;
       printf("the pool writes what it decided at %d\n", readAt);
       grant(now);
       c = 0;
       now = 0;
       readHolder = 0;
       readAt = 0
     }
#endif

  /* A release of the slot's lease arrives. One of another lease changes nothing. */
  :: atomic {
       lease[store.holder].releasing && !store.free ->
       store.free = 1;
       store.freeFrom = MIN(store.freeFrom, MAX(lease[store.holder].created, lease[store.holder].signedNext));
       printf("the pool gets the release of lease %d: the slot is free from %d\n", store.holder, store.freeFrom)
     }

  :: atomic {
       losses < LOSSES ->
       copyStore(replica, store);
       printf("the store replicates\n");
       bury()
     }
  :: atomic {
       losses < LOSSES ->
       losses++;
       another = 1;
       lowest = LOWERED(latest, BEHIND);
       copyStore(store, replica);
       printf("the store fails over to its replica\n");
       if
       :: losses == LOSSES ->
          /* Nothing reads these again. */
          latest = 0;
          replica.holder = 0;
          replica.free = 0;
          replica.freeFrom = 0;
          replica.quarantine = 0;
          replica.begin = 0
       :: else
       fi;
       bury()
     }
  od
}

init {
  atomic {
    run Pool();
    run Clients()
  }
}
