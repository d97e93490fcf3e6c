/**
 * A long text, looked through in windows, so that others can have their turn in between. Each window begins with the end of the
 * one before: whatever is no longer than that stands whole in one of them.
 *
 * W1. The windows depend on nothing but the pieces, and what is found in them does not depend on the pieces: a word belongs to the
 *     one window in which it ends and it is sure that it does.
 */
export interface Window {
  readonly text: string;
  /** The place in the whole text at which it begins. */
  readonly start: number;
  /** In this window: what ended before this was in the window before. */
  readonly from: number;
  readonly isLast: boolean;
  /** What it costs to come to it and to look through it, in characters. */
  readonly work: number;
}

/** So much of a text is looked at again: the longest word that counts, and all that stands before it and counts. */
const REACH = 1_024;
/** Of a text that is in pieces, each was as long as this, whatever was taken out of it. */
export const PIECE_WORK = 4_096;

export function* windowsOf(pieces: Iterable<string>): Generator<Window> {
  let window: Window | undefined;
  for (const piece of pieces) {
    if (window) yield window;
    window = after(window, piece);
  }
  yield { ...(window ?? after(undefined, '')), isLast: true };
}

function after(before: Window | undefined, piece: string): Window {
  const kept = before?.text.slice(-REACH) ?? '';
  const start = before ? before.start + before.text.length - kept.length : 0;
  const text = kept + piece;
  const work = Math.max(text.length, before ? PIECE_WORK : 0);
  return { text, start, from: kept.length, isLast: false, work };
}

type IsPart = (code: number) => boolean;

/** The words that belong to a window: where each begins in it, and where it ends. */
export function* wordsIn(
  { text, from, isLast }: Pick<Window, 'text' | 'from' | 'isLast'>,
  isPart: IsPart,
): Generator<readonly [number, number]> {
  let at = from;
  while (at > 0 && isPart(text.charCodeAt(at - 1))) at -= 1;
  for (at = startOfWord(text, at, isPart); at < text.length; ) {
    const end = endOfWord(text, at, isPart);
    if (end === text.length && !isLast) return;
    yield [at, end];
    at = startOfWord(text, end, isPart);
  }
}

/** The end of the word that `from` is in. */
function endOfWord(text: string, from: number, isPart: IsPart): number {
  let at = from;
  while (at < text.length && isPart(text.charCodeAt(at))) at += 1;
  return at;
}

/** Where the next word begins; the end of the text if there is none. */
function startOfWord(text: string, from: number, isPart: IsPart): number {
  let at = from;
  while (at < text.length && !isPart(text.charCodeAt(at))) at += 1;
  return at;
}
