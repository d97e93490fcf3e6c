/** How a brief is written. No text of others ever begins a line: it stands behind `- ` or `  > `. */
import { MAX_ID_BYTES } from '../../text.js';
import { plainName } from './clean-text.js';
import type { KeptNote } from './gather.js';
import { SECTIONS, type Section } from './kinds.js';
import type { PlainEntry } from './plain.js';

/** As long as a name may be. */
const AUTHOR_CHARACTERS = MAX_ID_BYTES;

export const sectionTitle = (section: Section): string => `## ${SECTIONS.get(section)}\n`;

/** One that somebody else said names who it was, as an entry does. */
export function noteLine({ number, author, text }: KeptNote, owner: string): string {
  const place = `[${number}${by(author, owner)}]`;
  return text.includes('\n') ? `- ${place}\n${quoted(text)}` : `- ${text} ${place}\n`;
}

export function entryLine({ number, contextType, author }: PlainEntry, text: string, owner: string): string {
  const start = `- [${number}] ${contextType}${by(author, owner)}:`;
  return text.includes('\n') ? `${start}\n${quoted(text)}` : `${start} ${text}\n`;
}

const by = (author: string, owner: string): string =>
  author === owner ? '' : ` by ${plainName(author, AUTHOR_CHARACTERS)}`;

function quoted(text: string): string {
  const lines = text.split('\n').map((line) => (line === '' ? '  >\n' : `  > ${line}\n`));
  return lines.join('');
}
