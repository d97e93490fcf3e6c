/**
 * Finds private keys and recovery phrases among the values and the names of a document, so that it can be refused before
 * anything is stored. Names that say that a key follows have a rule of their own in core.
 *
 * F1. It says where and by which rule, never what.
 * F2. The cost grows with the document and no faster, whatever stands in it. A long text is looked through in windows, and others
 *     may have their turn after each.
 * F3. Calldata and creation code are not searched: they are bytes that a chain will see anyway.
 * F4. The texts of one list, the texts of one object and the names of one object are each read as one text, too. What is
 *     spread further is taken together only if it is a phrase and nothing else: tables hold ordinary words.
 */
import { atOnce, below, type Codec, type Fields, isFields, type KeyRule, member } from '@handover/core';
import { Called, calledIn } from './called.js';
import { isHexGroup } from './hex-groups.js';
import { maySpeakOfKeys } from './hex-key.js';
import { ruleOfLongWords, ruleOfText } from './key-words.js';
import { holdsPhrase, isWholePhrase, type Sha256, searchWords } from './phrase.js';
import { PIECE_WORK } from './windows.js';

export interface FoundKey {
  /** Dotted from the root. */
  readonly path: string;
  readonly rule: KeyRule;
}

/** Yields after each piece of work how much it was, in characters that were looked through. */
export function* lookForKeys(
  value: unknown,
  { sha256 }: Pick<Codec, 'sha256'>,
): Generator<number, FoundKey | undefined> {
  return (yield* search(value, { path: '', name: '', called: new Called('') }, sha256)).key;
}

/** All at once. */
export const findKeyMaterial = (value: unknown, codec: Pick<Codec, 'sha256'>): FoundKey | undefined =>
  atOnce(lookForKeys(value, codec));

interface At {
  readonly path: string;
  /** Of the nearest field. */
  readonly name: string;
  /** What its value is called: mostly the same. */
  readonly called: Called;
}

type Looking<T> = Generator<number, T>;

/** What one part of the document holds: a key, or what may go on in another part. */
interface Part {
  readonly key?: FoundKey;
  /** All its texts as one, if every word is listed and they are few enough to be a phrase. */
  readonly text?: string;
  /** Of a single text: with what it begins and ends. */
  readonly edges?: string;
  /** How many lists and objects were taken together for it. */
  readonly height: number;
}

/** Twenty-four long words, numbered. */
const LONGEST_SPREAD = 512;
/** So often a text is looked at again at most, however deep the document is. */
const MOST_HEIGHT = 4;

function* search(value: unknown, at: At, sha256: Sha256): Looking<Part> {
  if (typeof value === 'string') return yield* searchText(value, at, sha256);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, i) => [String(i), item] as const);
    return yield* searchItems(items, at, () => at, sha256);
  }
  if (!isFields(value)) return { text: '', height: 0 };
  if (isKeystore(value)) return { key: { path: at.path, rule: 'keystore' }, height: 0 };
  const key = yield* searchNames(Object.keys(value), at, sha256);
  if (key) return { key, height: 0 };
  const items = Object.entries(value).filter(([name]) => !isBytes(at, name));
  const called = calledIn(value, at.called);
  return yield* searchItems(items, at, (name) => ({ name, called: called(name) }), sha256);
}

function* searchText(text: string, at: At, sha256: Sha256): Looking<Part> {
  // What is taken out of it is not seen below; of a long one, all pieces but the first count by themselves.
  yield Math.min(text.length, PIECE_WORK);
  const key = found(at, yield* ruleOfText(text, at.called, sha256));
  if (key) return { key, height: 0 };
  const { isPhrase, isListed, edges } = yield* searchWords(text, sha256);
  if (isPhrase) return { key: { path: at.path, rule: 'phrase' }, height: 0 };
  return { ...(isListed ? short(text, 0) : { height: 0 }), edges };
}

const isBytes = (at: At, name: string): boolean =>
  at.name === 'txRequest' && (name === 'data' || name === 'input');

type Items = readonly (readonly [name: string, item: unknown])[];

function* searchItems(
  items: Items,
  at: At,
  namesOf: (name: string) => Pick<At, 'name' | 'called'>,
  sha256: Sha256,
): Looking<Part> {
  const parts: Part[] = [];
  for (const [name, item] of items) {
    const part = yield* search(item, { ...namesOf(name), path: pathOf(at.path, name) }, sha256);
    if (part.key) return part;
    parts.push(part);
  }
  const rule = yield* ruleOfTexts(items, parts, at, sha256);
  if (rule) return { key: { path: at.path, rule }, height: 0 };
  const whole = together(parts);
  const isSpread = whole.text !== undefined && parts.some(({ edges }) => edges === undefined);
  return isSpread && isWholePhrase(whole.text, sha256)
    ? { key: { path: at.path, rule: 'phrase' }, height: 0 }
    : whole;
}

/** The texts of one list or object, read as one: only what may go on from one to the next is read again. */
function* ruleOfTexts(
  items: Items,
  parts: readonly Part[],
  at: At,
  sha256: Sha256,
): Looking<KeyRule | undefined> {
  const edges = parts.flatMap((part) => part.edges ?? []);
  if (edges.length < 2) return undefined;
  if (yield* holdsPhrase(edges.join(' '), sha256)) return 'phrase';
  if (!maySpeakOfKeys(at.called.name)) return undefined;
  const groups = items.flatMap(([, item]) => (isHexGroup(item) ? [item] : []));
  return groups.length < 2 ? undefined : yield* ruleOfLongWords(groups.join(' '), at.called, sha256);
}

function together(parts: readonly Part[]): Part {
  const height = parts.reduce((most, part) => Math.max(most, part.height), 0) + 1;
  if (height > MOST_HEIGHT || parts.some(({ text }) => text === undefined)) return { height };
  return short(parts.map(({ text }) => text).join(' '), height);
}

const short = (text: string, height: number): Part =>
  text.length > LONGEST_SPREAD ? { height } : { text, height };

/** A phrase may be written as the names of fields, and a key as one of them. */
function* searchNames(names: readonly string[], at: At, sha256: Sha256): Looking<FoundKey | undefined> {
  for (const name of names) {
    const key = found(at, yield* ruleOfLongWords(name, at.called, sha256));
    if (key) return key;
  }
  return found(at, (yield* holdsPhrase(names.join(' '), sha256)) ? 'phrase' : undefined);
}

const found = ({ path }: At, rule: KeyRule | undefined): FoundKey | undefined => rule && { path, rule };

const pathOf = (path: string, name: string): string =>
  path === '' ? below('', name).slice(1) : below(path, name);

function isKeystore(value: Fields): boolean {
  return ['crypto', 'Crypto'].some((name) => {
    const crypto = member(value, name);
    return member(crypto, 'ciphertext') !== undefined && member(crypto, 'kdf') !== undefined;
  });
}
