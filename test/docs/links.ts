export interface Link {
  readonly path: string;
  readonly anchor: string;
}

const LINK = /\]\(([^)\s]+)\)/g;
const CODE = /^```[\s\S]*?^```$|`[^`\n]*`/gm;
const ELSEWHERE = /^[a-z]+:/i;

/** Links to places in this repository. What stands in code is no link. */
export function linksIn(page: string): readonly Link[] {
  return [...page.replace(CODE, '').matchAll(LINK)]
    .map(([, target = '']) => target)
    .filter((target) => !ELSEWHERE.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#');
      return { path, anchor };
    });
}

/** The names that headings get where pages are shown. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const titles = [...page.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^#{1,6} (.+)$/gm)];
  return new Set(
    titles.map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replace(/\s/g, '-'),
    ),
  );
}
