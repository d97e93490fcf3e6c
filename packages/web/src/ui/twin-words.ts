/** What a person must know of another request for the same, as it stands now: what became of it, and what to do here. */
import { Effect } from '@handover/core';
import { formatTime } from '../format/time.js';
import { canSign, isOver, wasSent } from '../model/progress.js';
import type { HandoffRecord } from '../model/record.js';

type Twin = NonNullable<HandoffRecord['twin']>;

interface Verbs {
  readonly done: string;
  readonly again: string;
}

const VERBS: Readonly<Record<HandoffRecord['family'], Verbs>> = {
  operation: { done: 'paid', again: 'pays again' },
  bundle_deploy: { done: 'deployed', again: 'deploys them again' },
  session_start: { done: 'started', again: 'starts it again' },
};

/** Undefined: there is no other one that counts. */
export function twinWords(record: HandoffRecord): string | undefined {
  const { twin, family, effect } = record;
  if (!twin) return undefined;
  const verbs = VERBS[family];
  const what = `Another request for ${twin.stepIds ? 'a part of this' : 'the same'}`;
  const became = `${what}, ${twin.id}, ${becameOf(twin, verbs)}`;
  if (effect === Effect.Done || effect === Effect.Exceeded) return afterDone(became, twin, verbs);
  if (canSign(record)) return `${became}: ${advice(twin, verbs)}`;
  // Told here, and not settled.
  if (twin.effect === Effect.None && record.steps.some(wasSent))
    return `${became}: do not sign that one as well.`;
  return `${became}.${lastPrompt(record, verbs)}`;
}

const isDone = ({ effect }: Twin): boolean => effect === Effect.Done || effect === Effect.Exceeded;

function becameOf(twin: Twin, { done }: Verbs): string {
  const at = formatTime(twin.doneAt ?? twin.createdAt);
  if (isDone(twin)) return twin.doneAt === undefined ? `was ${done}` : `was ${done} at ${at}`;
  if (twin.effect === Effect.Partial) return `was ${done} in part`;
  if (twin.effect === Effect.None) return `was made at ${at} and can still be signed`;
  if (twin.effect === Effect.Different) return `was made at ${at}, and something else was sent for it`;
  return `was made at ${at}, and may have been ${done}`;
}

function advice(twin: Twin, { again, done }: Verbs): string {
  if (isDone(twin) || twin.effect === Effect.Partial) return `signing this one ${again}.`;
  if (twin.effect === Effect.None) return `sign only one of the two. If both are signed, both are ${done}.`;
  return `look in your wallet first. If that one went through, signing this one ${again}.`;
}

function afterDone(became: string, twin: Twin, { done }: Verbs): string {
  if (isDone(twin)) return `${became}, and so was this one: both were ${done}.`;
  return twin.effect === Effect.None
    ? `${became}: this one is ${done} already, so do not sign that one.`
    : `${became}. This one was ${done}.`;
}

/** Nothing more is asked here, but a prompt may still be open. */
const lastPrompt = (record: HandoffRecord, { again }: Verbs): string =>
  !isOver(record) && record.steps.some(({ status }) => status === 'requested')
    ? ` Refuse a prompt that is still open: signing it ${again}.`
    : '';
