const HEADING = /^#{1,6} (.+)$/;
/** `2.2 Send, in order` and `4. Security`; an appendix and a heading without a number are found by their whole text. */
const NUMBER = /^(\d+(?:\.\d+)*)\.? /;

/** The text below each heading, its subsections included, by number or by title. */
export function sectionsOf(page: string): ReadonlyMap<string, string> {
  const sections = new Map<string, string>();
  const open: { readonly depth: number; readonly name: string }[] = [];
  let code = false;
  for (const line of page.split('\n')) {
    if (line.startsWith('```')) code = !code;
    const title = code ? undefined : HEADING.exec(line)?.[1];
    if (title !== undefined) {
      const depth = line.indexOf(' ');
      while ((open.at(-1)?.depth ?? 0) >= depth) open.pop();
      open.push({ depth, name: NUMBER.exec(title)?.[1] ?? title });
    }
    for (const { name } of open) sections.set(name, `${sections.get(name) ?? ''}${line}\n`);
  }
  return sections;
}
