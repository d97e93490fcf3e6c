/** What is shown to an agent, unasked or to its person: what waits for it, and the work of owners that are silent. */
import { ANYONE } from '@handover/core';
import type { Store } from '@handover/engine';
import type { Connection } from '../../connection.js';
import type { HookItem, HookItems } from '../hook-text.js';
import { isOpenTo, reachesOthers } from '../open-parking.js';
import { type SilentSource, silentSessions, type TakeableSession } from '../take/silent-sessions.js';
import { WITH_WORDS, whatWaits } from '../what-waits.js';
import { lastLook } from './last-look.js';
import type { Viewer, WaitingSource } from './look.js';
import { withWords } from './words.js';

export type ShownSource = WaitingSource & SilentSource & { readonly store: Pick<Store, 'load' | 'read'> };

/** With `since`: what is told once is told when it happened after this; else, after the agent's last look. */
export type ShownViewer = Pick<Viewer, 'tenant' | 'agent' | 'project' | 'words' | 'most' | 'since'> &
  Pick<Connection, 'transport'> & {
    /** Without what is for every agent alike: left for whoever comes next, or of a silent owner. */
    readonly personal?: boolean;
    /** What was left for whoever comes next is its owner's alone. */
    readonly closed?: boolean;
  };

export async function whatIsShown(source: ShownSource, viewer: ShownViewer): Promise<HookItems> {
  const { transport, personal = false, closed = false, ...who } = viewer;
  const since = who.since ?? (await lastLook(source.store.agents, who, source.now()));
  const isPlaced = transport === 'stdio' || who.project !== undefined;
  const openParking = !personal && !closed && isPlaced && isOpenTo({ transport }, source.taking, undefined);
  const items = await whatWaits(source, { ...who, since, openParking });
  const { silent, soon } = personal ? { silent: [] } : await silentSessions(source, viewer, who.project);
  const left = await Promise.all(
    silent.map(({ state, lastSignAt }, index) => {
      const item = { sessionKey: state.key, by: state.owner, at: lastSignAt };
      return index < (who.words ?? WITH_WORDS) ? withWords(source, who, { item, state }) : item;
    }),
  );
  const shown = withoutRepeats({
    ...items,
    left: [...items.left, ...left].toSorted((a, b) => b.at - a.at),
    ...(soon && { soon: await soonItem(source, viewer, soon) }),
  });
  return !closed && reachesOthers({ transport }, source.taking) ? shown : leftToNobody(shown);
}

/**
 * Work whose owner has not been silent for long. What it is about is said on one machine, where a person must know which work
 * it is; over HTTP nobody but its owner learns that before it may be taken.
 */
async function soonItem(
  source: ShownSource,
  viewer: ShownViewer,
  { state, lastSignAt, possibleAt }: TakeableSession,
): Promise<HookItem> {
  const item = { sessionKey: state.key, by: state.owner, at: lastSignAt, takeFrom: possibleAt };
  if (viewer.transport === 'http') return item;
  const { next: _, nextBy: __, ...shown } = await withWords(source, viewer, { item, state });
  return shown;
}

/** What the agent left without a name is its own alone here. */
function leftToNobody({ own, otherOwn, ...items }: HookItems): HookItems {
  const kept = ({ to, ...item }: HookItem): HookItem =>
    to === undefined || to === ANYONE ? item : { ...item, to };
  return { ...items, ...(own && { own: kept(own) }), otherOwn: otherOwn.map(kept) };
}

/** The agent's own sessions, but for those that were named before. */
function withoutRepeats({ own, otherOwn, ...items }: HookItems): HookItems {
  const named = new Set([...items.acceptances, ...items.declined].map(({ sessionKey }) => sessionKey));
  const [newest, ...others] = [...(own ? [own] : []), ...otherOwn].filter(
    ({ sessionKey }) => !named.has(sessionKey),
  );
  return { ...items, ...(newest && { own: newest }), otherOwn: others };
}
