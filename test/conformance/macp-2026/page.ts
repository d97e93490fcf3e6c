/**
 * The protocol's page of 2026 itself, statement by statement. Its text is not ours to copy: `page.sha256` has one line for each
 * statement, with section, ordinal and SHA-256. So coverage.test.ts notices a statement without a row, a row without a statement,
 * and, where the page is at hand, that it says something else now.
 *
 * A statement is a part of a sentence up to its full stop or semicolon, a row of a table or of keys, or the heading of a section.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

export interface Statement {
  readonly section: string;
  /** Its place in the section, from 1. */
  readonly ordinal: number;
  readonly sha256: string;
}

/** Beside a clone of the repository, if it is there at all. */
export const PAGE = new URL('../../../../shared/spec/macp-2026.md', import.meta.url);
export const MANIFEST = new URL('./page.sha256', import.meta.url);

export const readPage = (page: URL = PAGE): string | undefined =>
  existsSync(page) ? readFileSync(page, 'utf8') : undefined;

export function readManifest(): readonly Statement[] {
  const lines = readFileSync(MANIFEST, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [section = '', ordinal = '', sha256 = ''] = line.split(' ');
    return { section, ordinal: Number(ordinal), sha256 };
  });
}

export const manifestText = (statements: readonly Statement[]): string =>
  statements.map(({ section, ordinal, sha256 }) => `${section} ${ordinal} ${sha256}\n`).join('');

export function statementsOf(page: string): readonly Statement[] {
  return [...sectionsOf(page)].flatMap(([section, text]) =>
    sentencesOf(text).map((sentence, index) => ({
      section,
      ordinal: index + 1,
      sha256: createHash('sha256').update(sentence).digest('hex'),
    })),
  );
}

/** A section begins with a heading, or with its number at the beginning of a line. What stands before the first is left out. */
export function sectionsOf(page: string): ReadonlyMap<string, string> {
  const sections = new Map<string, string>();
  let current = '';
  for (const line of page.split('\n')) {
    const [, heading, paragraph] = /^(?:#+ (\d+(?:\.\d+)*)|(\d+\.\d+) )/.exec(line) ?? [];
    current = heading ?? paragraph ?? current;
    if (current !== '') sections.set(current, `${sections.get(current) ?? ''}${line}\n`);
  }
  return sections;
}

/** Where a line begins something new: a bullet, a row, a number of a list or of a vector, a heading, a column of keys. */
const BEGINS = /^(?:#| *- |\||\s*\d+\.? |\s*$| {8,}| {4}[A-Z]\w+ {2})/;
const NOTHING = /^(?:-+|\|[-| ]+\|)?$/;

export function sentencesOf(section: string): readonly string[] {
  const blocks: string[] = [];
  let above = '';
  for (const line of section.split('\n')) {
    if (BEGINS.test(line) || above.startsWith('#') || above.trim() === '') blocks.push(line);
    else blocks.push(`${blocks.pop() ?? ''} ${line}`);
    above = line;
  }
  return blocks
    .map((block) => block.replace(/\s+/g, ' ').trim())
    .filter((block) => !NOTHING.test(block))
    .flatMap((block) => (/^[#|]/.test(block) ? [block] : block.split(/(?<=[^\d ]\.\)?|;) (?=\S)/)));
}
