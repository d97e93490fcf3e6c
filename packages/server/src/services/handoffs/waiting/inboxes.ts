/** What waits for one agent, or for every agent of this machine, for a person who looks. */
import { ANYONE } from '@handover/core';
import type { AgentStore, SeenAgent } from '@handover/engine';
import { fixedLimits } from '../../../config/fixed-limits.js';
import { nearestFirst } from '../../../platform/nearest-name.js';
import { isNobody } from '../../agents/took-part.js';
import type { HookItem, HookItems } from '../hook-text.js';
import { reachesAgents } from '../open-parking.js';
import { whatWaits } from '../what-waits.js';
import { newsSince } from './last-look.js';
import { type ShownSource, whatIsShown } from './what-is-shown.js';

export type InboxSource = ShownSource & {
  readonly store: { readonly agents: Pick<AgentStore, 'find' | 'list'> };
  /** Names of assistants that were connected here and may not have come yet. */
  readonly installed?: () => readonly string[];
};

export interface InboxesRequest {
  /** Absent: every agent. */
  readonly agent?: string;
  /** Absent: every project. */
  readonly project?: string;
  /** For the agent itself: without what it was told once before. A person is shown that for as long as it is news. */
  readonly untold?: boolean;
}

export interface Inbox {
  readonly agent: string;
  readonly items: HookItems;
}

export interface Inboxes {
  /** When it was looked. */
  readonly at: number;
  /** A person may give the work of one agent to another here. */
  readonly canTake: boolean;
  readonly inboxes: readonly Inbox[];
  /** Where every agent was asked for: what was left for whoever comes next, which is not repeated for each. */
  readonly anyone: readonly HookItem[];
  /** Set when nobody of the name that was asked for was ever here: names that are, the nearest first. */
  readonly known?: readonly string[];
}

const MOST_AGENTS = 50;
const MOST_KNOWN = 10;
/** Names of people and agents stand among names that the log keeps for its own lists. */
const LISTED_NAMES = 1_000;
const MOST_ITEMS = fixedLimits.inboxItems.value;
const WITH_WORDS = 20;
const NOBODYS: Pick<HookItems, 'parked' | 'left'> = { parked: [], left: [] };

export async function inboxes(
  look: InboxSource,
  tenant: string,
  { agent, project, untold = false }: InboxesRequest,
): Promise<Inboxes> {
  const about = { at: look.now(), canTake: look.taking.takeOver !== 'off' };
  const closed = !reachesAgents(look.taking);
  const where = {
    ...{ tenant, words: WITH_WORDS, most: MOST_ITEMS, transport: 'stdio' as const, closed },
    ...(project !== undefined && { project }),
    ...(!untold && { since: newsSince(look.now()) }),
  };
  const inboxOf = async (name: string, personal: boolean): Promise<Inbox> => ({
    agent: name,
    items: bounded(await whatIsShown(look, { ...where, agent: name, personal })),
  });
  if (agent !== undefined) {
    const known = await knownInstead(look, tenant, agent);
    return { ...about, inboxes: [await inboxOf(agent, false)], anyone: [], ...(known && { known }) };
  }
  const found: Inbox[] = [];
  const all = await agentsOf(look.store.agents, tenant);
  for (const { agent: name } of all.slice(0, MOST_AGENTS)) found.push(await inboxOf(name, true));
  // Nobody is called so: of this name there is only what was left for whoever comes next.
  const open = { ...where, agent: ANYONE, openParking: true };
  const { parked, left } = closed ? NOBODYS : bounded(await whatWaits(look, open));
  return {
    ...about,
    inboxes: found.filter(hasSomething),
    anyone: [...parked, ...left.map((item) => ({ ...item, unasked: true as const }))],
  };
}

async function agentsOf(agents: Pick<AgentStore, 'list'>, tenant: string): Promise<readonly SeenAgent[]> {
  const listed = await agents.list(tenant, LISTED_NAMES);
  return listed.filter(({ agent }) => !isNobody(agent));
}

/** Of a name that took part in nothing. Names that were never here themselves are no advice. */
async function knownInstead(
  { store: { agents }, installed = () => [] }: InboxSource,
  tenant: string,
  name: string,
): Promise<readonly string[] | undefined> {
  const all = await agentsOf(agents, tenant);
  if (all.some(({ agent }) => agent === name) || (await agents.find(tenant, name))) return undefined;
  if (installed().includes(name)) return undefined;
  const came = all.filter(({ lastSeenAt }) => lastSeenAt !== null).map(({ agent }) => agent);
  return nearestFirst(name, came).slice(0, MOST_KNOWN);
}

const hasSomething = ({ items }: Inbox): boolean =>
  items.own !== undefined || Object.values(items).some((list) => Array.isArray(list) && list.length > 0);

function bounded({ own, soon, ...lists }: HookItems): HookItems {
  const cut = (list: readonly HookItem[]) => list.slice(0, MOST_ITEMS);
  return {
    offers: cut(lists.offers),
    acceptances: cut(lists.acceptances),
    parked: cut(lists.parked),
    taken: cut(lists.taken),
    declined: cut(lists.declined),
    left: cut(lists.left),
    ...(own && { own }),
    otherOwn: cut(lists.otherOwn),
    shared: cut(lists.shared),
    ...(soon && { soon }),
  };
}
