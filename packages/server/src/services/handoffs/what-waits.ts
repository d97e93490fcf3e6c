/**
 * Finds what waits for an agent in a project, in the order in which it is shown everywhere: offers to it, acceptances that
 * wait for its commitment, what was left for it, what was taken from it and what was declined since it last looked, its own
 * sessions. It only looks, so it works on a server and on a folder that nobody serves.
 */
import type { HookItem, HookItems } from './hook-text.js';
import { notedWork } from './notes.js';
import { boundHandoffs } from './waiting/bound-handoffs.js';
import { type Found, newestFirst, type Viewer, type WaitingSource } from './waiting/look.js';
import { openSessions } from './waiting/open-sessions.js';
import { withReason, withWords } from './waiting/words.js';

/** Of how many of each kind the words are read, where nobody says it. */
export const WITH_WORDS = 5;

export async function whatWaits(look: WaitingSource, viewer: Viewer): Promise<HookItems> {
  await look.board.turn(viewer.tenant, viewer.agent);
  const { offers, acceptances, taken, declined } = await boundHandoffs(look, viewer);
  const offered = new Set(offers.map(({ item }) => item.sessionKey));
  const { parked, left, own, shared, unread } = await openSessions(look, viewer, offered);
  const shown = <T extends { readonly item: HookItem }>(
    found: readonly T[],
    words: (one: T) => Promise<HookItem>,
  ): Promise<readonly HookItem[]> =>
    Promise.all(
      newestFirst(found).map((one, index) => (index < (viewer.words ?? WITH_WORDS) ? words(one) : one.item)),
    );
  const noted = (found: readonly Found[]) => Promise.all(found.map((one) => asNote(look, viewer, one)));
  const saying = (one: Parameters<typeof withWords>[2]) => withWords(look, viewer, one);
  const [newest, ...others] = await shown(own, saying);
  return {
    offers: await shown(await noted(offers), saying),
    acceptances: newestFirst(acceptances).map(({ item }) => item),
    parked: await shown(await noted(parked), saying),
    taken: newestFirst(taken).map(({ item }) => item),
    declined: await shown(declined, (one) => withReason(look, one)),
    left: await shown(left, saying),
    ...(newest && { own: newest }),
    otherOwn: others,
    shared: await shown(
      shared.filter(({ item }) => !offered.has(item.sessionKey)),
      saying,
    ),
    ...(unread > 0 && { unread }),
  };
}

/** A note on work of the agent is shown by the name of that work, which is what is gone on with. */
async function asNote(look: WaitingSource, viewer: Viewer, found: Found): Promise<Found> {
  const work = await notedWork(look, viewer, found.state);
  if (!work) return found;
  const { handoffId: _, ...item } = found.item;
  return { ...found, item: { ...item, sessionKey: work.key, isNote: true } };
}
