/**
 * A Markdown text as headings and what stands below them. Only headings of level 1 to 3 outside of code count, in both
 * spellings: `## Next`, and a line that is underlined with `===` or `---`.
 */
import { trimBlanks } from './blanks.js';
import { Fence } from './fence.js';

export interface Section {
  /** 0: what stands before the first heading. */
  readonly level: number;
  readonly title: string;
  /** The heading as it was written. */
  readonly heading: readonly string[];
  readonly lines: readonly string[];
}

const HEADING = /^ {0,3}(#{1,3})(?=[ \t]|$)/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
/** A line that can be underlined: text, and no list, quote or table. */
const PARAGRAPH = /^ {0,3}[^\s#>|*+\-`~]/;

type Heading = Pick<Section, 'level' | 'title' | 'heading'>;

export function sectionsOf(text: string): readonly Section[] {
  const fence = new Fence();
  return split(text, (line, above) =>
    fence.covers(line) ? undefined : (hashed(line) ?? underlined(above, line)),
  );
}

/** Of a brief that we wrote: no text of others begins a line there, so every `#` that does is ours. */
export const ownSectionsOf = (text: string): readonly Section[] => split(text, hashed);

type FindHeading = (line: string, above: readonly string[]) => Heading | undefined;

function split(text: string, headingIn: FindHeading): readonly Section[] {
  const sections: Section[] = [];
  let now = { level: 0, title: '', heading: [] as readonly string[], lines: [] as string[] };
  for (const line of text.split('\n')) {
    const heading = headingIn(line, now.lines);
    if (heading === undefined) {
      now.lines.push(line);
      continue;
    }
    // The line that is underlined was taken for text.
    if (heading.heading.length > 1) now.lines.pop();
    sections.push(now);
    now = { ...heading, lines: [] };
  }
  return [...sections, now];
}

function hashed(line: string): Heading | undefined {
  const [start, marks] = HEADING.exec(line) ?? [];
  if (start === undefined || marks === undefined) return undefined;
  const title = trimBlanks(line.slice(start.length));
  const closing = title.length - withoutHashes(title).length;
  const isClosed =
    closing > 0 && (closing === title.length || /[ \t]/.test(title[title.length - closing - 1] ?? ''));
  return {
    level: marks.length,
    title: isClosed ? trimBlanks(withoutHashes(title)) : title,
    heading: [line],
  };
}

function withoutHashes(title: string): string {
  let end = title.length;
  while (title[end - 1] === '#') end -= 1;
  return title.slice(0, end);
}

function underlined(above: readonly string[], line: string): Heading | undefined {
  const text = above.at(-1) ?? '';
  const isAlone = PARAGRAPH.test(text) && trimBlanks(above.at(-2) ?? '') === '';
  if (!isAlone || !UNDERLINE.test(line)) return undefined;
  return { level: line.includes('=') ? 1 : 2, title: trimBlanks(text), heading: [text, line] };
}
