/**
 * Members of objects and items of lists, put in and taken out by characters. A new one goes behind the last, so that
 * nothing else moves; a comment that ends the line of the last one stays with it.
 */
import { createScanner, type Node } from 'jsonc-parser';

/** Tokens of the scanner. Its own names are a const enum of declarations, which cannot be read here. */
const COMMA = 5;
const LINE_COMMENT = 12;
const BLOCK_COMMENT = 13;
const LINE_BREAK = 14;
const BLANKS = 15;

export interface Inserted {
  readonly text: string;
  readonly lead: string;
  readonly tail: string;
}

const endOf = ({ offset, length }: Node): number => offset + length;

export const lineEndOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** One level of indentation, as the file has it. */
export const unitOf = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';

/** `written` gives the member for an indentation; without one, on a single line. */
export function insertLast(
  text: string,
  container: Node,
  written: (indent: string | undefined) => string,
): Inserted {
  const last = container.children?.at(-1);
  return last ? insertBehind(text, container, last, written) : insertFirst(text, container, written);
}

function insertFirst(
  text: string,
  container: Node,
  written: (indent: string | undefined) => string,
): Inserted {
  const inner = text.slice(container.offset + 1, endOf(container) - 1);
  const at = container.offset + 1 + inner.trimEnd().length;
  const own = indentOfLine(text, container.offset);
  const lead = lineEndOf(text) + own + unitOf(text);
  const tail = inner.trimEnd().length < inner.lastIndexOf('\n') + 1 ? '' : lineEndOf(text) + own;
  const body = written(own + unitOf(text));
  return { text: text.slice(0, at) + lead + body + tail + text.slice(at), lead, tail };
}

function insertBehind(
  text: string,
  container: Node,
  last: Node,
  written: (indent: string | undefined) => string,
): Inserted {
  const comma = commaAfter(text, endOf(last));
  const inLines = hasMembersInLines(text, container);
  const indent = inLines ? indentOfMember(text, last, container) : undefined;
  const lead = indent === undefined ? ' ' : lineEndOf(text) + indent;
  const body = written(indent);
  const end = comma === undefined ? endOf(last) : comma + 1;
  const at = inLines ? endOfLineComments(text, end) : end;
  const edited =
    comma === undefined
      ? `${text.slice(0, end)},${text.slice(end, at)}${lead}${body}${text.slice(at)}`
      : `${text.slice(0, at)}${lead}${body},${text.slice(at)}`;
  return { text: edited, lead, tail: '' };
}

/** Takes a member out, with the comma that it needed and the white space that came with it. */
export function removeMember(
  text: string,
  container: Node,
  member: Node,
  { lead, tail }: { readonly lead: string; readonly tail: string },
): string {
  const members = container.children ?? [];
  const index = members.indexOf(member);
  const before = index > 0 ? members[index - 1] : undefined;
  const from = startWith(text, member.offset, lead);
  const end = endOf(member);
  const behind = commaAfter(text, end);
  if (behind !== undefined) return cut(text, [from, end], [behind, behind + 1]);
  const to = before === undefined && text.startsWith(tail, end) ? end + tail.length : end;
  const comma = before && commaAfter(text, endOf(before));
  return comma === undefined ? cut(text, [from, to]) : cut(text, [comma, comma + 1], [from, to]);
}

export const replaceValue = (text: string, value: Node, written: string): string =>
  text.slice(0, value.offset) + written + text.slice(endOf(value));

/** Indentation of the line on which something begins. */
export function indentOfLine(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^\uFEFF?([ \t]*)/.exec(line)?.[1] ?? '';
}

function startWith(text: string, offset: number, lead: string): number {
  if (lead !== '' && text.endsWith(lead, offset)) return offset - lead.length;
  // By hand: an expression would try every blank of the file as the first of them.
  let from = offset;
  while (text[from - 1] === ' ' || text[from - 1] === '\t') from -= 1;
  if (text[from - 1] === '\n') from -= text[from - 2] === '\r' ? 2 : 1;
  return from;
}

function cut(text: string, ...ranges: readonly (readonly [number, number])[]): string {
  let rest = text;
  for (const [from, to] of [...ranges].reverse()) rest = rest.slice(0, from) + rest.slice(to);
  return rest;
}

function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  return Number(scanner.scan()) === COMMA ? scanner.getTokenOffset() : undefined;
}

/** Where the last comment ends that stands on the same line; the place itself if there is none. */
function endOfLineComments(text: string, offset: number): number {
  const scanner = createScanner(text, false);
  scanner.setPosition(offset);
  let end = offset;
  for (let token = Number(scanner.scan()); token !== LINE_BREAK; token = Number(scanner.scan())) {
    if (token === LINE_COMMENT || token === BLOCK_COMMENT) end = scanner.getPosition();
    else if (token !== BLANKS) break;
  }
  return end;
}

/** Whether a value is laid out over several lines. */
export const isInLines = (text: string, value: Node): boolean =>
  text.slice(value.offset, endOf(value)).includes('\n');

function hasMembersInLines(text: string, container: Node): boolean {
  const starts = (container.children ?? []).map(({ offset }) => offset);
  const ends = [container.offset + 1, ...(container.children ?? []).map(endOf)];
  return starts.some((start, index) => text.slice(ends[index], start).includes('\n'));
}

function indentOfMember(text: string, member: Node, container: Node): string {
  const line = text.slice(text.lastIndexOf('\n', member.offset - 1) + 1, member.offset);
  return /^[ \t]*$/.test(line) ? line : indentOfLine(text, container.offset) + unitOf(text);
}
