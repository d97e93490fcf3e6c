/**
 * What a capture keeps of a conversation, folded line by line. It is kept between captures, because a transcript is read
 * on from where the last capture ended; so every text in it is short and redacted, and every list has an end.
 */
import { createHash } from 'node:crypto';
import { isFields } from '@handover/core';
import type { Redactor } from '../redactor.js';
import { failureLine } from './failure-line.js';
import type { Happening, PlanItem } from './happening.js';

export interface FailedCommand {
  readonly command: string;
  /** The first line of what it said that says what failed. */
  readonly error: string;
}

interface OpenCall {
  /** A digest of the id: a client writes there what it likes. */
  readonly id: string;
  readonly files: readonly string[];
  readonly command: string;
}

export interface Conversation {
  /** How often the user has said something. */
  readonly asks: number;
  readonly first: string;
  readonly latest: readonly string[];
  readonly answer: string;
  /** The last one written is the last. */
  readonly files: readonly string[];
  /** How often a file was written; what was kept by an older version does not say it. */
  readonly writes?: number;
  readonly failed: readonly FailedCommand[];
  readonly plan: readonly PlanItem[];
  /** Calls that have not returned. */
  readonly open: readonly OpenCall[];
  /** Nothing came after what the user said last. */
  readonly unanswered: boolean;
}

export const NOTHING_SAID: Conversation = {
  asks: 0,
  first: '',
  latest: [],
  answer: '',
  files: [],
  failed: [],
  plan: [],
  open: [],
  unanswered: false,
};

const isText = (value: unknown): value is string => typeof value === 'string';

function areAll(value: unknown, isOne: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}

/** Whether what was kept is one: it was in a file meanwhile. */
export function isConversation(value: unknown): value is Conversation {
  if (!isFields(value)) return false;
  const { asks, first, latest, answer, files, failed, plan, open, unanswered } = value;
  const isFailed = (one: unknown) => isFields(one) && isText(one.command) && isText(one.error);
  const isStep = (one: unknown) => isFields(one) && isText(one.text) && typeof one.done === 'boolean';
  const isOpen = (one: unknown) =>
    isFields(one) && isText(one.id) && isText(one.command) && areAll(one.files, isText);
  return (
    Number.isSafeInteger(asks) &&
    [first, answer].every(isText) &&
    [latest, files].every((list) => areAll(list, isText)) &&
    areAll(failed, isFailed) &&
    areAll(plan, isStep) &&
    areAll(open, isOpen) &&
    typeof unanswered === 'boolean'
  );
}

const FIRST = 500;
const LATEST = 300;
const ANSWER = 1_000;
const PATH = 300;
const COMMAND = 200;
const ERROR = 200;
const STEP = 200;
const LATEST_KEPT = 3;
const FILES_KEPT = 30;
const FAILED_KEPT = 10;
const STEPS_KEPT = 30;
const OPEN_KEPT = 50;

export function heard(before: Conversation, happening: Happening, redactor: Redactor): Conversation {
  switch (happening.kind) {
    case 'asked':
      return asked(before, happening.text, redactor);
    case 'answered':
      return { ...before, answer: redactor.short(happening.text, ANSWER), unanswered: false };
    case 'called': {
      const files = happening.files.slice(0, FILES_KEPT).map((path) => redactor.short(oneLine(path), PATH));
      const command = redactor.short(happening.command ?? '', COMMAND);
      const open = [...before.open, { id: shortId(happening.id), files, command }].slice(-OPEN_KEPT);
      return { ...before, open, unanswered: false };
    }
    case 'returned':
      return returned(before, happening, redactor);
    case 'planned': {
      const items = happening.items.slice(0, STEPS_KEPT);
      return { ...before, plan: items.map(({ text, done }) => ({ text: redactor.short(text, STEP), done })) };
    }
  }
}

const ID_DIGITS = 16;

const shortId = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, ID_DIGITS);

/** What an older version kept has the ids themselves: those calls are forgotten. */
export function withFewerCalls(conversation: Conversation, most = OPEN_KEPT): Conversation {
  const open = conversation.open.filter(({ id }) => /^[0-9a-f]{16}$/.test(id));
  return { ...conversation, open: most === 0 ? [] : open.slice(-most) };
}

/** Codex writes what the user said twice. */
function asked(before: Conversation, text: string, redactor: Redactor): Conversation {
  const short = redactor.short(text, LATEST);
  if (before.unanswered && before.latest.at(-1) === short) return before;
  return {
    ...before,
    asks: before.asks + 1,
    first: before.first === '' ? redactor.short(text, FIRST) : before.first,
    latest: [...before.latest, short].slice(-LATEST_KEPT),
    unanswered: true,
  };
}

function returned(
  before: Conversation,
  { id, failed, text }: Extract<Happening, { readonly kind: 'returned' }>,
  redactor: Redactor,
): Conversation {
  const call = before.open.find((open) => open.id === shortId(id));
  if (!call) return before;
  const after = { ...before, open: before.open.filter((open) => open !== call) };
  if (!failed) {
    const others = before.files.filter((path) => !call.files.includes(path));
    const writes = (before.writes ?? 0) + call.files.length;
    return { ...after, files: [...others, ...call.files].slice(-FILES_KEPT), writes };
  }
  if (call.command === '') return after;
  const error = redactor.short(failureLine(text), ERROR);
  return { ...after, failed: [...before.failed, { command: call.command, error }].slice(-FAILED_KEPT) };
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ');
