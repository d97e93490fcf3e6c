/** A look at the log of a database, beside the servers that write to it. It changes nothing, and makes no tables. */
import type { AgentStore, ReceiptStore, Store } from '@handover/engine';
import { createAgents } from './agents.js';
import { CannotConnect, Connection } from './connection.js';
import { refused } from './errors.js';
import { createFeed } from './feed.js';
import { createLists } from './lists.js';
import { Pool } from './pool.js';
import { createReads } from './reads.js';
import { createReceipts } from './receipts.js';
import { requireLog } from './schema.js';

export interface PostgresReadOnly extends Pick<Store, 'load' | 'read' | 'heads' | 'list' | 'feed' | 'close'> {
  readonly agents: Pick<AgentStore, 'find' | 'list'>;
  readonly receipts: Pick<ReceiptStore, 'find'>;
}

export async function openPostgresReadOnly(url: string): Promise<PostgresReadOnly> {
  const connect = () => Connection.open({ url, name: 'handover (reading)' });
  const first = await connect().catch((thrown: unknown) => {
    throw thrown instanceof CannotConnect ? refused(thrown.sentence) : thrown;
  });
  try {
    await requireLog(first);
  } finally {
    await first.end();
  }
  const pool = new Pool(connect, 1);
  const { load, read, heads } = createReads(pool);
  const { list } = createLists(pool);
  const { feed } = createFeed(pool);
  const { find, list: listAgents } = createAgents(pool);
  return {
    ...{ load, read, heads, list, feed },
    agents: { find, list: listAgents },
    receipts: { find: createReceipts(pool).find },
    close: () => pool.close(),
  };
}
