/** A database once used with real credentials is marked for ever; dev mode, where any name is an agent, refuses it. */
import type { Connection } from './connection.js';
import { refused } from './errors.js';
import type { Step } from './stage.js';

const KEY = 'used_with_credentials';
const FIND: Step = { name: 'find-mark', text: `SELECT 1 FROM meta WHERE key = '${KEY}'` };
const MARK: Step = { name: 'mark', text: `INSERT INTO meta VALUES ('${KEY}', '1') ON CONFLICT DO NOTHING` };

export async function markUse(connection: Connection, use?: 'dev' | 'credentials' | 'local'): Promise<void> {
  if (use === 'credentials') await connection.run([MARK]);
  if (use !== 'dev') return;
  const [done] = await connection.run([FIND]);
  if (done?.rows.length === 0) return;
  throw refused(
    `database ${connection.database} was used with real credentials, which dev mode would let anyone act for; name another database, or another schema, in HANDOVER_DATABASE_URL`,
  );
}
