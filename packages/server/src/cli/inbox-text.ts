/**
 * What waits, for people: for each agent a line of counts and a paragraph for each thing, with what can be done about it.
 * What others wrote stands in quotes on one line, and a key that a shell could read otherwise stands in no command line.
 */
import { ANYONE } from '@handover/core';
import { type HookItem, type HookItems, offeredTo } from '../services/handoffs/hook-text.js';
import { isPlainWord, takeCommand } from '../services/handoffs/shown/take-command.js';
import { ago, clockTime, fromThen, until } from '../services/handoffs/shown/times.js';
import { shownName, shownWords } from '../services/handoffs/shown/words.js';
import type { Inbox, Inboxes } from '../services/handoffs/waiting/inboxes.js';
import { printable } from './conventions/printable.js';

interface Paragraph {
  readonly item: HookItem;
  /** After the key: who, when. */
  readonly what: string;
  /** What to do. */
  readonly todo?: string;
}

const RIGHT = 75;
/** A line has room for these. */
const NAMED = 3;
const NOTHING = 'Nothing waits.\n';

export function inboxText({ at, canTake, inboxes, anyone, known }: Inboxes): string {
  const unknown = known ? nobodyOf(inboxes[0]?.agent ?? '', known) : '';
  const groups = inboxes.map(({ agent, items }) => {
    const paragraphs = paragraphsFor({ agent, items }, at, canTake);
    return { title: `${shownName(agent)}: ${counts(items)}`, paragraphs };
  });
  const left = anyone.map((item) => leftBy(item, at, `take it: ${callFor(item)} in any assistant`));
  const all = [...groups, { title: `for whoever comes next: ${anyone.length}`, paragraphs: left }];
  const filled = all.filter(({ paragraphs }) => paragraphs.length > 0);
  if (filled.length === 0) return unknown + NOTHING;
  const said = filled.map(({ title, paragraphs }) =>
    [title, ...written(paragraphs)].map((line) => `${line}\n`).join(''),
  );
  return unknown + said.join('\n');
}

/** A slip of the pen would otherwise look like an empty inbox. */
function nobodyOf(agent: string, known: readonly string[]): string {
  const here = known.length === 0 ? '' : ` Here were ${known.slice(0, NAMED).map(shownName).join(', ')}.`;
  return `Nobody called ${shownName(agent)} was ever here.${here}\n`;
}

function counts(items: HookItems): string {
  const { offers, acceptances, parked, taken, declined, left, own, otherOwn, shared, soon } = items;
  const owned = (own ? 1 : 0) + otherOwn.length;
  const said: readonly (readonly [number, string])[] = [
    [offers.length, offers.length === 1 ? 'offer' : 'offers'],
    [acceptances.length, 'waiting for your commit'],
    [parked.length, 'left for you'],
    [taken.length, 'taken over from you'],
    [declined.length, 'declined'],
    [left.length, 'left without a word'],
    [owned, owned === 1 ? 'session of your own' : 'sessions of your own'],
    [shared.length, 'shared with you'],
    [soon ? 1 : 0, 'that may be taken soon'],
  ];
  return said
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`)
    .join(', ');
}

function paragraphsFor({ agent, items }: Inbox, now: number, canTake: boolean): readonly Paragraph[] {
  const name = shownName(agent);
  const command = (item: HookItem) => (canTake ? orCommand(item, agent) : '');
  const when = ({ at }: HookItem) => ago(now - at);
  // resume without a name takes the newest.
  const isOne = items.offers.length + items.parked.length === 1;
  const taking = (item: HookItem) => (isOne ? 'resume' : namedCall(item));
  return [
    ...items.offers.map((item) => ({
      item,
      what: `${item.isNote ? 'a note ' : ''}from ${shownName(item.by)}, ${when(item)}${untilWhen(item, now)}`,
      todo: `take it: ${taking(item)} in ${name}`,
    })),
    ...items.acceptances.map((item) => ({
      item,
      what: `accepted by ${shownName(item.by)}, ${when(item)}${untilWhen(item, now)}`,
      todo: `commit it: commitHandoff in ${name}`,
    })),
    ...items.parked.map((item) => leftBy(item, now, `take it: ${taking(item)} in ${name}`)),
    ...items.taken.map((item) => ({
      item,
      what: `${item.pickedUp ? 'picked up' : 'taken over'} by ${shownName(item.by)}, ${when(item)}, at ${clockTime(item.at, false)}`,
    })),
    ...items.declined.map((item) => ({
      item,
      what: `${item.implicit ? 'not answered' : 'declined'} by ${shownName(item.by)}, ${when(item)}`,
      todo: `go on: resume in ${name}`,
    })),
    ...items.left.map((item) => ({
      item,
      what: `left by ${shownName(item.by)} without handing it over, ${when(item)}`,
      todo: `take it: ${callFor({ unasked: true })} in ${name}${command(item)}`,
    })),
    ...[...(items.own ? [items.own] : []), ...items.otherOwn].map((item) => ({
      item,
      what: `your own, ${offeredTo(item)}${when(item)}`,
      todo: isOffered(item)
        ? `take it back: cancelHandoff in ${name}${cancelCommand(item)}`
        : `go on: resume in ${name}`,
    })),
    ...items.shared.map((item) => ({
      item,
      what: `work of ${shownName(item.by)}, shared with you, ${when(item)}`,
      todo: `go on: ${namedCall(item)} in ${name}`,
    })),
    ...(items.soon ? [soonOf(items.soon, agent, now, canTake)] : []),
  ];
}

/** Its owner may have died a minute ago, or may be thinking: nobody can tell. */
function soonOf(item: HookItem, agent: string, now: number, canTake: boolean): Paragraph {
  const command = canTake ? takeCommand(item.sessionKey, agent) : undefined;
  const from = fromThen(item.takeFrom ?? now, now, false);
  return {
    item,
    what: `${shownName(item.by)} has it, last seen ${ago(now - item.at)}`,
    todo: `if it stays silent, ${from}: ${callFor({ unasked: true })} in ${shownName(agent)}${command === undefined ? '' : `, or now: ${command}`}`,
  };
}

const isOffered = ({ to }: HookItem): boolean => to !== undefined && to !== ANYONE;

/** A name that cannot be shown as it is stands in no call. */
function namedCall({ handoffId, sessionKey }: HookItem): string {
  const [argument, id] = handoffId === undefined ? ['sessionKey', sessionKey] : ['handoffId', handoffId];
  return shownWords(id) === JSON.stringify(id)
    ? `resume {"${argument}": ${JSON.stringify(id)}, "accept": true}`
    : 'resume';
}

const callFor = ({ unasked }: Pick<HookItem, 'unasked'>): string =>
  unasked ? 'resume {"take": true}' : 'resume';

const leftBy = (item: HookItem, now: number, todo: string): Paragraph => ({
  item,
  what: `left by ${shownName(item.by)}${item.unasked ? ' without handing it over' : ''}, ${ago(now - item.at)}${untilWhen(item, now)}`,
  todo,
});

const untilWhen = ({ until: at }: HookItem, now: number): string =>
  at === undefined ? '' : `, until ${until(at, now)}`;

/** With --now: a conversation may have ended a minute ago. */
function orCommand({ sessionKey }: HookItem, agent: string): string {
  const command = takeCommand(sessionKey, agent);
  return command === undefined ? '' : `, or: ${command}`;
}

const cancelCommand = ({ sessionKey }: HookItem): string =>
  isPlainWord(sessionKey) ? `, or: handover cancel ${sessionKey}` : '';

function written(paragraphs: readonly Paragraph[]): readonly string[] {
  const widest = Math.max(...paragraphs.map(({ item }) => [...shownName(item.sessionKey)].length));
  return paragraphs.flatMap(({ item, what, todo }) => {
    const key = shownName(item.sessionKey);
    const first = `  ${key}${' '.repeat(widest - [...key].length + 3)}${what}`;
    const indent = ' '.repeat(widest + 5);
    const words = [
      ...(item.goal === undefined ? [] : [shownWords(item.goal)]),
      ...(item.reason === undefined ? [] : [shownWords(item.reason)]),
      ...(item.next === undefined ? [] : [`next: ${shownWords(item.next)}`]),
    ].map((line) => indent + line);
    const lines = [atRight(first, idOf(item)), ...words];
    const last = lines.pop() ?? '';
    const sent = attachmentsOf(item);
    // Beside the words, if there are any: the first line ends with the id.
    const ended = words.length > 0 ? [atRight(last, sent)] : [last, ...(sent === '' ? [] : [indent + sent])];
    return [...lines, ...ended, ...(todo === undefined ? [] : [`  ${todo}`])];
  });
}

const atRight = (line: string, more: string): string =>
  more === '' ? line : `${line.padEnd(RIGHT - 2)}  ${more}`;

const attachmentsOf = ({ attachments = 0 }: HookItem): string =>
  attachments === 0 ? '' : attachments === 1 ? '1 attachment' : `${attachments} attachments`;

const idOf = ({ handoffId }: HookItem): string =>
  handoffId === undefined ? '' : `[${printable(handoffId)}]`;
