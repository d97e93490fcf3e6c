/** A value at a place in a JSON file: a member of an object, or an item of a list that is recognised by its content. */
import type { Json } from '@handover/core';
import { getNodeValue, type Node } from 'jsonc-parser';
import { digestOfValue } from './digest.js';
import { type Mark, type Put, type Refusal, refusal, type Taken, type Text } from './edit.js';
import {
  indentOfLine,
  insertLast,
  isInLines,
  lineEndOf,
  removeMember,
  replaceValue,
  unitOf,
} from './json-members.js';
import { follow, isRefusal, memberOf, readTree } from './json-tree.js';

export interface JsonPlace {
  /** Names that lead to the object or the list. */
  readonly within: readonly string[];
  /** The member, or how an item of ours is recognised. */
  readonly at: string | ((item: unknown) => boolean);
}

/** How a refusal and the record call the place. */
export const placeName = ({ within, at }: JsonPlace): string =>
  typeof at === 'string' ? [...within, at].join('.') : within.join('.');

export function putJson(text: Text, place: JsonPlace, value: Json, mark?: Mark): Put | Refusal {
  const root = readTree(text ?? '');
  if (isRefusal(root)) return root;
  const digests = [digestOfValue(value)];
  if (root === undefined) return putWhole(text ?? '', place, value, digests);
  const found = find(root, place);
  if (isRefusal(found)) return found;
  if (found.present.some((node) => digestOf(node) === digests[0]))
    return { kind: 'same', text: text ?? '', mark: { ...(mark ?? UNMARKED), digests } };
  const [present] = found.present;
  if (present === undefined) return { ...added(text ?? '', place, value, found), kind: 'added' };
  if (!isOurs(present, mark)) return notOurs(place, mark);
  const written = layOut(value, text ?? '', indentOf(text ?? '', present));
  return {
    kind: 'replaced',
    text: replaceValue(text ?? '', present, written),
    mark: { ...(mark ?? UNMARKED), digests },
  };
}

export function takeJson(text: Text, place: JsonPlace, mark: Mark): Taken | Refusal {
  const root = text === undefined ? undefined : readTree(text);
  if (isRefusal(root)) return root;
  if (text === undefined || root === undefined) return { kind: 'gone', text };
  const found = find(root, place);
  if (isRefusal(found)) return found;
  const [present] = found.present;
  if (present === undefined) return { kind: 'gone', text };
  if (!isOurs(present, mark)) return notOurs(place, mark);
  return { kind: 'removed', text: without(text, present, mark) };
}

const UNMARKED: Mark = { digests: [], lead: '', tail: '', made: 0 };

const isOurs = (node: Node, mark: Mark | undefined): boolean =>
  mark?.digests.includes(digestOf(node)) ?? false;

function digestOf(node: Node): string {
  try {
    return digestOfValue(getNodeValue(node) as Json);
  } catch {
    // Such as a number without an end: nothing that we would have written.
    return '';
  }
}

const notOurs = (place: JsonPlace, mark: Mark | undefined): Refusal =>
  refusal(
    mark === undefined
      ? `has an entry of ours or of that name in ${placeName(place)} that this command did not write`
      : `has an entry in ${placeName(place)} that was changed since this command wrote it`,
  );

interface FoundPlace {
  readonly container: Node;
  readonly depth: number;
  readonly present: readonly Node[];
}

function find(root: Node, { within, at }: JsonPlace): FoundPlace | Refusal {
  const found = follow(root, within, typeof at !== 'string');
  if (isRefusal(found) || found.depth < within.length)
    return isRefusal(found) ? found : { ...found, present: [] };
  if (typeof at !== 'string') {
    const present = (found.container.children ?? []).filter((item) => at(getNodeValue(item)));
    return { ...found, present };
  }
  const value = memberOf(found.container, at);
  if (isRefusal(value)) return value;
  return { ...found, present: value === undefined ? [] : [value] };
}

/** The names that are not there yet, and what has to be written under the first of them. */
function missing({ within, at }: JsonPlace, depth: number, value: Json): { names: string[]; inner: Json } {
  const names = [...within.slice(depth), ...(typeof at === 'string' ? [at] : [])];
  const isNewList = typeof at !== 'string' && names.length > 0;
  return { names, inner: isNewList ? [value] : value };
}

const nested = (names: readonly string[], inner: Json): Json =>
  names.reduceRight<Json>((value, name) => ({ [name]: value }), inner);

function added(text: string, place: JsonPlace, value: Json, { container, depth }: FoundPlace) {
  const { names, inner } = missing(place, depth, value);
  const [first, ...rest] = names;
  const body = nested(rest, inner);
  const key = first === undefined ? '' : `${JSON.stringify(first)}: `;
  const inserted = insertLast(text, container, (indent) => key + layOut(body, text, indent));
  const made = place.within.length - depth;
  return {
    text: inserted.text,
    mark: { digests: [digestOfValue(value)], lead: inserted.lead, tail: inserted.tail, made },
  };
}

/** Into a file that is empty or not there. What it held, such as a byte order mark, is the lead. */
function putWhole(text: string, place: JsonPlace, value: Json, digests: readonly string[]): Put {
  const { names, inner } = missing(place, 0, value);
  const written = `${JSON.stringify(nested(names, inner), null, 2)}\n`;
  const mark = { digests, lead: text, tail: '', made: place.within.length + 1 };
  return { kind: 'added', text: text + written, mark };
}

/** `indent` undefined: on one line. */
function layOut(value: Json, text: string, indent: string | undefined): string {
  if (indent === undefined) return JSON.stringify(value);
  return JSON.stringify(value, null, unitOf(text)).replaceAll('\n', lineEndOf(text) + indent);
}

const indentOf = (text: string, value: Node): string | undefined =>
  isInLines(text, value) ? indentOfLine(text, value.offset) : undefined;

/** Takes the objects and lists along that were made for it, as far as nothing else is in them. */
function without(text: string, present: Node, mark: Mark): string {
  let member = memberNode(present);
  let left = mark.made;
  for (; left > 0; left -= 1) {
    const container = member.parent;
    if (container === undefined || !holdsNothingElse(text, container, member)) break;
    if (container.parent === undefined) return withoutRoot(text, container, member, mark);
    member = memberNode(container);
  }
  // The white space that came with it is known for the outermost thing only.
  return member.parent ? removeMember(text, member.parent, member, left === 0 ? mark : UNMARKED) : text;
}

function withoutRoot(text: string, root: Node, member: Node, mark: Mark): string {
  const rest = text.slice(0, root.offset) + text.slice(root.offset + root.length);
  return rest.trim() === mark.lead.trim() ? mark.lead : removeMember(text, root, member, UNMARKED);
}

/** Of a value, the member that it belongs to; an item is its own. */
const memberNode = (value: Node): Node => (value.parent?.type === 'property' ? value.parent : value);

function holdsNothingElse(text: string, container: Node, member: Node): boolean {
  if (container.children?.length !== 1) return false;
  const before = text.slice(container.offset + 1, member.offset);
  const behind = text.slice(member.offset + member.length, container.offset + container.length - 1);
  return before.trim() === '' && ['', ','].includes(behind.trim());
}
