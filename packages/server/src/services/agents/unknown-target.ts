/** Whether work is handed to a name that nobody ever had here: a slip of the pen would wait for an answer for days. */
import type { Principal } from '../../auth/principal.js';
import { nearestFirst } from '../../platform/nearest-name.js';
import type { Connection } from '../connection.js';
import type { HandoffService } from '../handoffs/types.js';
import type { AgentDirectory } from './agent-directory.js';
import { knownAgents } from './who-am-i.js';

export interface UnknownTarget {
  readonly target: string;
  /** Whom the caller may know of, the nearest name first. */
  readonly known: readonly string[];
}

/** Looked through for the name; of more than these it may be called unknown, which only warns. */
const LOOKED_THROUGH = 1_000;
const MOST_KNOWN = 10;

/** Asked before the handoff: afterwards everybody in it took part in something. */
export async function unknownTarget(
  directory: AgentDirectory,
  handoffs: HandoffService,
  principal: Principal,
  connection: Pick<Connection, 'transport'>,
  target: string | undefined,
): Promise<UnknownTarget | undefined> {
  if (target === undefined || target === principal.agent) return undefined;
  const { tenant } = principal;
  const everybody = await directory.everybody(tenant, LOOKED_THROUGH);
  if (everybody.some(({ agent }) => agent === target)) return undefined;
  const known = await knownAgents(directory, handoffs, principal, connection, LOOKED_THROUGH);
  const names = known.map(({ agent }) => agent);
  return { target, known: nearestFirst(target, names).slice(0, MOST_KNOWN) };
}
