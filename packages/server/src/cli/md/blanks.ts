/** Blanks and line ends alone: other white space may be meant. By hand, since expressions take quadratic time here. */
const isBlank = (char: string | undefined): boolean => char === ' ' || char === '\t' || char === '\n';

export function trimBlanks(text: string): string {
  let start = 0;
  while (isBlank(text[start])) start += 1;
  return trimEndBlanks(text.slice(start));
}

export function trimEndBlanks(text: string): string {
  let end = text.length;
  while (isBlank(text[end - 1])) end -= 1;
  return text.slice(0, end);
}

export function indentOf(line: string): number {
  let indent = 0;
  while (line[indent] === ' ' || line[indent] === '\t') indent += 1;
  return indent;
}
