/**
 * A HANDOFF.md as notes. What stands below the heading of a kind of notes gives notes of that kind; everything else is
 * `brief`, so that nothing that somebody wrote is lost. A file that we wrote ourselves gives back the notes that it was made from.
 */
import type { NoteKind } from '@handover/core';
import { trimBlanks } from './blanks.js';
import { type MdHead, readHeadLine } from './head-line.js';
import { ownSectionsOf, type Section, sectionsOf } from './md-blocks.js';
import { itemsOf, ownItemsOf, untick } from './md-items.js';
import { kindOfTitle, kindOfWord } from './title-kind.js';

export interface MdNotes {
  /** Of a file that we wrote. */
  readonly head?: MdHead;
  readonly notes: readonly { readonly kind: Exclude<NoteKind, 'brief'>; readonly text: string }[];
  readonly brief?: string;
}

export const MAX_MD_BYTES = 1_048_576;

/** A string: why it is refused, the end of a sentence that begins with the name of the file. */
export function readMd(bytes: Uint8Array): MdNotes | string {
  if (bytes.length > MAX_MD_BYTES) return `has more than ${MAX_MD_BYTES} bytes`;
  const text = utf8(bytes)?.replaceAll('\r\n', '\n');
  if (text === undefined) return 'is no UTF-8 text';
  if (text.includes('\0')) return 'has a NUL character, so it is no text';
  const own = readHeadLine(text);
  const sections = own ? ownSectionsOf(text.slice(own.end)) : sectionsOf(text.replace(/^\uFEFF/, ''));
  const found = notesOf(sections, own !== undefined);
  return { ...found, ...(own && { head: own.head }) };
}

/** What is ticked below these is done. */
const TO_DO: ReadonlySet<NoteKind> = new Set(['next', 'open']);

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function notesOf(sections: readonly Section[], isOwn: boolean): Omit<MdNotes, 'head'> {
  const notes: { kind: Exclude<NoteKind, 'brief'>; text: string }[] = [];
  const brief: string[] = [];
  let above: { readonly level: number; readonly kind: NoteKind } | undefined;
  const title = titleAt(sections);
  for (const [index, section] of sections.entries()) {
    const kind = index === title ? kindOfWord(section.title) : kindOfTitle(section.title);
    // A heading inside a kind, such as "### Later" below "## Next", says more about the items below it.
    const isInside = kind === undefined && above !== undefined && section.level > above.level;
    if (kind !== undefined) above = { level: section.level, kind };
    else if (!isInside) above = undefined;
    if (above === undefined || above.kind === 'brief') {
      const isTitle = isOwn && index <= 1;
      brief.push(restOf(section, { isTitle, isOwn, isKind: kind !== undefined }));
      continue;
    }
    const prefix = isInside && section.title !== '' ? `${section.title}: ` : '';
    const items = isOwn ? ownItemsOf(section.lines) : itemsOf(section.lines);
    for (const item of items) {
      const { isDone, text } = TO_DO.has(above.kind) ? untick(item) : { isDone: false, text: item };
      notes.push({ kind: isDone ? 'done' : above.kind, text: prefix + text });
    }
  }
  const rest = brief.filter((text) => text !== '').join('\n\n');
  return { notes, ...(rest !== '' && { brief: rest }) };
}

/** The heading of the whole text says what that is about, whatever words it uses: "# Handoff: the next release". */
function titleAt(sections: readonly Section[]): number | undefined {
  const first = sections.findIndex(({ level }) => level > 0);
  const isAlone = sections.filter(({ level }) => level === 1).length === 1;
  return isAlone && sections[first]?.level === 1 && sections.length > first + 1 ? first : undefined;
}

interface Rest {
  readonly isTitle: boolean;
  readonly isOwn: boolean;
  readonly isKind: boolean;
}

function restOf({ heading, lines }: Section, { isTitle, isOwn, isKind }: Rest): string {
  // Our own heading, and the line below it, are made anew by whoever exports next.
  if (isTitle) return trimBlanks(lines.slice(heading.length).join('\n'));
  if (isKind && isOwn) return ownItemsOf(lines).join('\n\n');
  return trimBlanks([...(isKind ? [] : heading), ...lines].join('\n'));
}
