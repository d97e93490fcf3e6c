/**
 * Which kind of notes stands below a heading.
 *
 * T1. A heading that is a kind's own word, or another word for it, is of that kind: "## 🎯 2. Next steps:" is "next steps".
 * T2. So is one in which the words of exactly one kind occur among others: "What we tried", "Decisions made".
 * T3. Not where it says something else about them: "Not done", "To be decided".
 * T4. Words of a title that is joined to something are no such words: "Next.js" is not "next".
 */
import { kindOf, type NoteKind } from '@handover/core';

const MAX_TITLE = 100;
const OTHERWISE = new Set(['not', 'no', 'never', 'without', 'be', 'until', 'when', 'definition']);
const NEGATED = /n[’']t$/i;
const EDGES = /^[^\p{L}]+|[^\p{L}]+$/gu;

export const kindOfTitle = (title: string): NoteKind | undefined => kindOfWord(title) ?? kindAmong(title);

/** By T1 alone. */
export const kindOfWord = (title: string): NoteKind | undefined =>
  title.length > MAX_TITLE ? undefined : kindOf(withoutAsides(title).replace(/[^\p{L}\s_-]/gu, ' '));

const withoutAsides = (title: string): string => title.replace(/\([^)]*\)/g, ' ');

/** A brief is the text itself, with its heading: only a heading of that very word is taken from it. */
function kindAmong(title: string): NoteKind | undefined {
  if (title.length > MAX_TITLE) return undefined;
  const words = withoutAsides(title)
    .split(/[\s,;:–—]+/)
    .map((word) => word.replace(EDGES, '').toLowerCase());
  if (words.some((word) => OTHERWISE.has(word) || NEGATED.test(word))) return undefined;
  // "Dead ends of the week" has its word in two.
  const pairs = words.map((word, at) => `${word}${words[at + 1] ?? ''}`);
  const kinds = new Set([...words, ...pairs].flatMap((word) => kindOf(word) ?? []));
  const [only] = kinds;
  return kinds.size === 1 && only !== 'brief' ? only : undefined;
}
