/** What stands below a heading, as items: one for each item of a list, with its nested lines; one for each other text. */
import { indentOf, trimBlanks, trimEndBlanks } from './blanks.js';
import { Fence } from './fence.js';

const ITEM = /^([ \t]*)((?:[-*+]|\d{1,9}[.)])(?:[ \t]|$))/;
const UNTICKED = /^\[ \][ \t]/;
const TICKED = /^\[[xX]\][ \t]+/;
/** With who said it, if that was not the owner. */
const NUMBER = String.raw`\[\d{1,15}(?: by (?:"(?:[^"\\]|\\.)*"|[^\s"\[\]]+))?\]$`;
const NUMBER_ALONE = new RegExp(`^${NUMBER}`);
const NUMBER_BEHIND = new RegExp(` ${NUMBER}`);

interface Item {
  readonly lines: string[];
  /** Where the text of a list's item begins; undefined: no item of a list. */
  readonly content?: number;
}

/** Of a list of what is open: whether this is done, and what it says without the tick. */
export const untick = (text: string): { readonly isDone: boolean; readonly text: string } => {
  const rest = text.replace(TICKED, '');
  return { isDone: rest !== text, text: rest };
};

export function itemsOf(lines: readonly string[]): readonly string[] {
  const items: Item[] = [];
  const fence = new Fence();
  let inCode = false;
  for (const line of lines) {
    const wasInCode = inCode;
    inCode = fence.covers(line);
    const last = items.at(-1);
    const begun = wasInCode && inCode ? undefined : itemIn(line, last);
    if (begun) items.push(begun);
    else if (last && goesOn(line, last, wasInCode && inCode)) last.lines.push(line);
    else items.push({ lines: [line] });
  }
  return items.map(({ lines: own }) => joined(own)).filter((text) => text !== '');
}

/** Of a brief that we wrote: `- text [4]`, or `- [4]` and lines behind `  > `. */
export function ownItemsOf(lines: readonly string[]): readonly string[] {
  const items: string[][] = [];
  for (const line of lines) {
    if (line.startsWith('- ')) items.push([line.slice(2)]);
    else if (line.startsWith('  >') && items.length > 0) items.at(-1)?.push(line.slice(3).replace(/^ /, ''));
    // Somebody wrote to the file.
    else if (trimBlanks(line) !== '') items.push([line]);
  }
  return items.map(([first = '', ...quoted]) =>
    NUMBER_ALONE.test(first) && quoted.length > 0
      ? quoted.join('\n')
      : [first.replace(NUMBER_BEHIND, ''), ...quoted].join('\n'),
  );
}

/** An item that is indented as far as the text of the one above is nested in it. */
function itemIn(line: string, last: Item | undefined): Item | undefined {
  const [start, indent = '', marker = ''] = ITEM.exec(line) ?? [];
  if (start === undefined || (last?.content !== undefined && indent.length >= last.content)) return undefined;
  const text = trimBlanks(line.slice(start.length));
  return { lines: [text.replace(UNTICKED, '')], content: indent.length + Math.max(2, marker.length) };
}

/** A line at the margin goes on with the item above it, unless an empty line stands between. */
function goesOn(line: string, { lines, content }: Item, isCode: boolean): boolean {
  if (content === undefined || isCode || trimBlanks(line) === '' || indentOf(line) > 0) return true;
  return trimBlanks(lines.at(-1) ?? '') !== '';
}

/** Nested lines lose the indentation that they have in common. */
function joined([first = '', ...rest]: readonly string[]): string {
  const common = rest
    .filter((line) => trimBlanks(line) !== '')
    .reduce((least, line) => Math.min(least, indentOf(line)), Number.POSITIVE_INFINITY);
  const lines = rest.map((line) => trimEndBlanks(line.slice(Math.min(common, line.length))));
  return trimBlanks([first, ...lines].join('\n'));
}
