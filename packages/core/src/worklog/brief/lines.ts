/** How a brief is written. No text of others ever begins a line: it stands behind `- ` or `  > `. */
import { MAX_ID_BYTES } from '../../text.js';
import { plainName } from './clean-text.js';
import { SECTIONS, type Section } from './kinds.js';
import type { PlainEntry } from './plain.js';

/** As long as a name may be. */
const AUTHOR_CHARACTERS = MAX_ID_BYTES;

export const sectionTitle = (section: Section): string => `## ${SECTIONS.get(section)}\n`;

export function noteLine(number: number, text: string): string {
  return text.includes('\n') ? `- [${number}]\n${quoted(text)}` : `- ${text} [${number}]\n`;
}

export function entryLine({ number, contextType, author }: PlainEntry, text: string, owner: string): string {
  const by = author === owner ? '' : ` by ${plainName(author, AUTHOR_CHARACTERS)}`;
  const start = `- [${number}] ${contextType}${by}:`;
  return text.includes('\n') ? `${start}\n${quoted(text)}` : `${start} ${text}\n`;
}

function quoted(text: string): string {
  const lines = text.split('\n').map((line) => (line === '' ? '  >\n' : `  > ${line}\n`));
  return lines.join('');
}
