// Which life of the database this is (rule R7). A fail-over to a standby and a restore to a point in time begin a new
// timeline; another database cluster has another identifier. Where `fsync` is off, a crash may lose what was committed:
// there every start counts.
import { type Borrow, onLoan } from './connections.js';
import { stateOf } from './errors.js';

const CLUSTER = `(SELECT system_identifier FROM pg_control_system()) || '.'`;
const START = `'.' || (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint`;
const TIMELINE = `substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
  || CASE current_setting('fsync') WHEN 'off' THEN ${START} ELSE '' END`;
/** A synchronous standby has all that was acknowledged, since every transaction sets `synchronous_commit`. */
const MAY_LOSE = `current_setting('synchronous_standby_names') = '' OR current_setting('fsync') = 'off'`;

/** The fact that tells the incarnation to this user of this server; none where the server does not tell it. */
export async function incarnationFact(borrow: Borrow): Promise<{ readonly incarnation?: string }> {
  // Some servers keep the cluster's identifier from ordinary users, and some hosted ones have no timelines.
  for (const id of [`${CLUSTER} || ${TIMELINE}`, TIMELINE]) {
    try {
      await onLoan(borrow, (loan) => loan.query(`SELECT ${id}`));
      return { incarnation: `json_build_object('id', ${id}, 'mayLose', ${MAY_LOSE})` };
    } catch (error) {
      // Not allowed, or not there.
      if (!/42501|0A000/.test(stateOf(error))) throw error;
    }
  }
  return {};
}
