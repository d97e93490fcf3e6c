/** What waits, for programs: the same fields as they are looked up, with times as text. */
import { iso } from '../platform/iso.js';
import type { HookItem, HookItems } from '../services/handoffs/hook-text.js';
import type { Inboxes } from '../services/handoffs/waiting/inboxes.js';

export function inboxJson({ at, inboxes, anyone, known }: Inboxes): object {
  return {
    at: iso(at),
    agents: inboxes.map(({ agent, items }) => ({ agent, ...itemsJson(items) })),
    anyone: anyone.map(itemJson),
    ...(known && { known }),
  };
}

function itemsJson({ own, otherOwn, soon, ...lists }: HookItems): object {
  const { offers, acceptances, parked, taken, declined, left } = lists;
  const all = {
    offers,
    acceptances,
    parked,
    taken,
    declined,
    left,
    shared: lists.shared,
    own: [...(own ? [own] : []), ...otherOwn],
    soon: soon ? [soon] : [],
  };
  return Object.fromEntries(Object.entries(all).map(([kind, items]) => [kind, items.map(itemJson)]));
}

const itemJson = ({ at, until, takeFrom, ...item }: HookItem): object => ({
  ...item,
  at: iso(at),
  ...(until !== undefined && { until: iso(until) }),
  ...(takeFrom !== undefined && { takeFrom: iso(takeFrom) }),
});
