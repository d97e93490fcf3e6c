/** Whether work is handed to a name that nobody ever had here: a slip of the pen would wait for an answer for days. */
import type { Principal } from '../../auth/principal.js';
import { nearestFirst } from '../../platform/nearest-name.js';
import type { Connection } from '../connection.js';
import type { HandoffService } from '../handoffs/types.js';
import type { AgentDirectory } from './agent-directory.js';
import { knownAgents, knowsEverybody } from './who-am-i.js';

export interface UnknownTarget {
  readonly target: string;
  /** Whom the caller may know of, the nearest name first. */
  readonly known: readonly string[];
  /** Others may know it: the caller learns only of those with whom it has to do. */
  readonly onlyToCaller: boolean;
  /** The only one of them, or the caller, whose name is the same but for case and separators. */
  readonly meant?: string;
}

/** Looked through for the name; of more than these it may be called unknown, which only warns. */
const LOOKED_THROUGH = 1_000;
const MOST_KNOWN = 10;

export async function unknownTarget(
  directory: AgentDirectory,
  handoffs: HandoffService,
  principal: Principal,
  connection: Pick<Connection, 'transport'>,
  target: string | undefined,
): Promise<UnknownTarget | undefined> {
  if (target === undefined || target === principal.agent) return undefined;
  // Of the same people, or a warning that is absent would say that somebody of that name is here.
  const known = await knownAgents(directory, handoffs, principal, connection, LOOKED_THROUGH);
  const names = known.map(({ agent }) => agent);
  if (names.includes(target)) return undefined;
  const onlyToCaller = !knowsEverybody(principal, connection);
  const same = [...names, principal.agent].filter((name) => bare(name) === bare(target));
  const [meant] = same.length === 1 ? same : [];
  return {
    target,
    known: nearestFirst(target, names).slice(0, MOST_KNOWN),
    onlyToCaller,
    ...(meant !== undefined && { meant }),
  };
}

const bare = (name: string): string => name.toLowerCase().replace(/[\s._-]+/g, '');

/** Whether nobody of that name was ever here, for a caller who may know that. */
export async function isNobodys(
  directory: Pick<AgentDirectory, 'everybody' | 'lastSeenAt'>,
  principal: Principal,
  connection: Pick<Connection, 'transport'>,
  target: string,
): Promise<boolean> {
  const { tenant } = principal;
  if (!knowsEverybody(principal, connection)) return false;
  if ((await directory.lastSeenAt({ tenant, agent: target })) !== null) return false;
  const known = await directory.everybody(tenant, LOOKED_THROUGH);
  // Of more than can be looked through, it may be one.
  return known.length < LOOKED_THROUGH && !known.some(({ agent }) => agent === target);
}
