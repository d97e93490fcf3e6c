/**
 * What an owner says with a handoff, as one entry of the working session: Markdown for those who read entries, and the
 * same as notes, which the fold of the brief reads.
 */
import {
  type BriefEntry,
  type Codec,
  isBlank,
  type JsonObject,
  type NoteKind,
  SECTIONS,
} from '@handover/core';
import type { HandOffSaid } from './hand-off-types.js';
import { payloadOf } from './payloads.js';

/** In the order of the text. */
const KINDS: readonly (readonly [keyof HandOffSaid, NoteKind])[] = [
  ['goal', 'goal'],
  ['next', 'next'],
  ['open', 'open'],
  ['brief', 'brief'],
  ['decisions', 'decision'],
  ['tried', 'tried'],
  ['done', 'done'],
  ['files', 'file'],
];
/** What is said of these holds in place of what was said before; the others add up. */
const REPLACING: readonly NoteKind[] = ['goal', 'next', 'open', 'brief'];

export interface SaidEntry {
  readonly content: string;
  readonly note: JsonObject;
  readonly kinds: readonly NoteKind[];
  /** Of all texts. */
  readonly bytes: number;
}

/** Undefined: nothing is said. */
export function saidEntry(said: HandOffSaid): SaidEntry | undefined {
  const sections = KINDS.flatMap(([field, kind]) => {
    const texts = [said[field] ?? []].flat().filter((text) => !isBlank(text));
    return texts.length > 0 ? [{ kind, texts, isList: Array.isArray(said[field]) }] : [];
  });
  if (sections.length === 0) return undefined;
  const kinds = sections.map(({ kind }) => kind);
  return {
    content: sections.map(sectionText).join('\n\n'),
    note: {
      ...Object.fromEntries(sections.map(({ kind, texts }) => [kind, texts])),
      replaces: kinds.filter((kind) => REPLACING.includes(kind)),
    },
    kinds,
    bytes: sections.flatMap(({ texts }) => texts).reduce((sum, text) => sum + Buffer.byteLength(text), 0),
  };
}

function sectionText(section: {
  readonly kind: NoteKind;
  readonly texts: readonly string[];
  readonly isList: boolean;
}): string {
  const { kind, texts, isList } = section;
  const lines = isList ? texts.map((text) => `- ${text.replace(/\n/g, '\n  ')}`) : texts;
  return [`## ${SECTIONS.get(kind) ?? kind}`, ...lines].join('\n');
}

export interface NewEntry {
  readonly contextType: string;
  readonly payload: Uint8Array;
  readonly kinds: readonly string[];
  /** As the brief sees it. */
  readonly seen: Pick<BriefEntry, 'contextType' | 'content' | 'metadata' | 'note'>;
}

export function messageEntry({ content, note, kinds }: SaidEntry, codec: Codec): NewEntry {
  const seen = { contextType: 'message', content, metadata: {}, note };
  return { contextType: 'message', payload: payloadOf(seen, codec), kinds, seen };
}
