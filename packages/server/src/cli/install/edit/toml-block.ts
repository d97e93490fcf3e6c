/**
 * Our block in a TOML file, between two comment lines at its end. The rest is parsed to see whether it already names what
 * the block names, in whatever spelling, and whether taking the block out would change the meaning of anything else.
 */
import { isDeepStrictEqual } from 'node:util';
import { parse, TomlError } from 'smol-toml';
import { digestOfText } from './digest.js';
import { type Mark, type Put, type Refusal, refusal, type Taken, type Text } from './edit.js';
import { lineEndOf } from './json-members.js';

export interface TomlPlace {
  /** The table that the block makes, such as `mcp_servers.handover`. */
  readonly table: readonly [string, string];
}

const BEGIN = '# >>> handover';
const END = '# <<< handover';

/** The lines of a block, with its two comments and without its last line end. */
export const tomlBlock = (lines: readonly string[]): string =>
  [`${BEGIN}: written by "handover install", removed by "handover uninstall"`, ...lines, END].join('\n');

/** A TOML string: its escapes are those of JSON, and DEL must be escaped, too. */
export const tomlString = (text: string): string => JSON.stringify(text).replaceAll('\u007F', '\\u007f');

export function putToml(text: Text, place: TomlPlace, block: string, mark?: Mark): Put | Refusal {
  const before = text ?? '';
  const found = split(before);
  if (found.kind === 'refused') return found;
  const digests = [digestOfText(block)];
  const { head, ours, rest } = found;
  if (ours !== undefined && plain(ours) === block)
    return { kind: 'same', text: before, mark: { ...(mark ?? UNMARKED), digests } };
  if (ours !== undefined && !mark?.digests.includes(digestOfText(plain(ours)))) return changed(mark);
  const written = block.replaceAll('\n', lineEndOf(before));
  const lead = ours === undefined ? leadFor(before) : '';
  const tail = ours === undefined ? lineEndOf(before) : '';
  const after = head + lead + written + tail + rest;
  const flaw = flawOf(head + rest, after, place);
  if (flaw) return flaw;
  if (ours !== undefined) return { kind: 'replaced', text: after, mark: { ...(mark ?? UNMARKED), digests } };
  return { kind: 'added', text: after, mark: { digests, lead, tail, made: 0 } };
}

export function takeToml(text: Text, place: TomlPlace, mark: Mark): Taken | Refusal {
  const found = split(text ?? '');
  if (found.kind === 'refused') return found;
  const { head, ours, rest } = found;
  if (ours === undefined) return { kind: 'gone', text };
  if (!mark.digests.includes(digestOfText(plain(ours)))) return changed(mark);
  const { lead, tail } = mark;
  const after =
    (head.endsWith(lead) ? head.slice(0, head.length - lead.length) : head) +
    (rest.startsWith(tail) ? rest.slice(tail.length) : rest);
  return flawOf(after, text ?? '', place) ?? { kind: 'removed', text: after };
}

const UNMARKED: Mark = { digests: [], lead: '', tail: '', made: 0 };

const plain = (text: string): string => text.replaceAll('\r\n', '\n');

const changed = (mark: Mark | undefined): Refusal =>
  refusal(
    mark === undefined
      ? 'has a block of handover that this command did not write'
      : 'has a block of handover that was changed since this command wrote it',
  );

interface Parts {
  readonly kind: 'parts';
  readonly head: string;
  readonly ours?: string;
  readonly rest: string;
}

function split(text: string): Parts | Refusal {
  const begins = [...text.matchAll(/^# >>> handover[^\r\n]*$/gm)];
  const ends = [...text.matchAll(/^# <<< handover(?=\r?$)/gm)];
  const [begin] = begins;
  const [end] = ends;
  if (begin === undefined && end === undefined) return { kind: 'parts', head: text, rest: '' };
  const inOrder = begins.length === 1 && ends.length === 1 && begin && end && begin.index < end.index;
  if (!inOrder) return refusal('has a block of handover without its beginning or its end');
  const after = end.index + end[0].length;
  return {
    kind: 'parts',
    head: text.slice(0, begin.index),
    ours: text.slice(begin.index, after),
    rest: text.slice(after),
  };
}

function leadFor(text: string): string {
  const end = lineEndOf(text);
  if (text === '') return '';
  return text.endsWith('\n') ? end : end + end;
}

/** `without` and `whole` must say the same, but for our table, which only `whole` has. */
function flawOf(without: string, whole: string, { table: [outer, inner] }: TomlPlace): Refusal | undefined {
  const rest = read(without);
  if (typeof rest === 'string') return refusal(`is no valid TOML: ${rest}`);
  if (isTable(rest[outer]) && Object.hasOwn(rest[outer], inner))
    return refusal(`has an entry ${outer}.${inner} that this command did not write`);
  const all = read(whole);
  const said = typeof all === 'string' ? undefined : all[outer];
  if (typeof all === 'string' || !isTable(said))
    return refusal(`has ${outer} in a form to which nothing can be added at the end of the file`);
  delete said[inner];
  // The outer table may have been made by the block.
  if (!Object.hasOwn(rest, outer) && Object.keys(said).length === 0) delete all[outer];
  if (isDeepStrictEqual(all, rest)) return undefined;
  return refusal('has lines behind the block of handover that belong to its table; move them first');
}

type Table = Record<string, unknown>;

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** The tables, or what is wrong and where. */
function read(text: string): Table | string {
  try {
    return parse(text.startsWith('\uFEFF') ? text.slice(1) : text, { integersAsBigInt: true });
  } catch (thrown) {
    return thrown instanceof TomlError ? `line ${thrown.line}` : 'it is too deep';
  }
}
