/**
 * Pages of which parts are generated: what stands between `<!-- generated: name -->` and `<!-- end -->`. A page that is not
 * what its sources say fails; `npx vitest run test/docs -u` writes it.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const BLOCK = /<!-- generated: ([a-z0-9-]+) -->\n[\s\S]*?<!-- end -->/g;

export type Blocks = Readonly<Record<string, string>>;

export const readPage = (path: string): string => readFileSync(root + path, 'utf8');

/** Every block has its place on the page, and every place its block. */
export async function expectPage(path: string, blocks: Blocks): Promise<void> {
  const page = readPage(path);
  const places = [...page.matchAll(BLOCK)].map(([, name]) => name);
  expect([path, ...places]).toEqual([path, ...Object.keys(blocks)]);
  const written = page.replace(BLOCK, (_, name: string) => generated(name, blocks[name] ?? ''));
  await expect(written).toMatchFileSnapshot(root + path);
}

const generated = (name: string, text: string) => `<!-- generated: ${name} -->\n\n${text}\n\n<!-- end -->`;

/** The blocks of code of a page, in one language, as they stand. */
export function codeIn(page: string, language: string): readonly string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  );
}
