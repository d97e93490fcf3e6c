/**
 * Pages that are cited are there: every `<page>.md <section>` in the sources, and every relative link of the pages.
 *
 * Comments cite the specification as `docs/spec/macp.md 2.2`, or without the folder; several sections may follow one page
 * (`macp.md 2.9 and 7.3`). A row such as `10.2 C17` is looked for inside its section.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { requirements } from '../conformance/requirements.js';
import { citationsIn } from './citations.js';
import { anchorsOf, linksIn } from './links.js';
import { sectionsOf } from './sections.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const SKIPPED = new Set(['node_modules', 'dist', '.git', 'gen']);
const SOURCES = /\.(?:ts|tsx|mjs|py|sh|json|css|md)$/;
const read = (path: string) => readFileSync(join(root, path), 'utf8');

function filesUnder(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesUnder(path);
    return SOURCES.test(entry.name) ? [path] : [];
  });
}

const sections = new Map(
  ['macp', 'mcp', 'operations', 'reliability'].map((page) => [
    page,
    sectionsOf(read(`docs/spec/${page}.md`)),
  ]),
);
const sources = ['packages', 'test', 'scripts', 'docs'].flatMap(filesUnder);

describe('citations of the specification', () => {
  it('lead to a section that is there', () => {
    const missing = sources.flatMap((path) =>
      citationsIn(read(path))
        .filter(({ page, section, row }) => {
          const text = sections.get(page)?.get(section);
          return text === undefined || (row !== undefined && !new RegExp(`\\b${row}\\b`).test(text));
        })
        .map(({ cited }) => `${path}: ${cited}`),
    );
    expect(missing).toEqual([]);
  });

  it('are found in all the ways in which they are written', () => {
    const text = `See macp.md 2.2, docs/spec/macp.md 2.9 and 7.3; operations.md section 10, (macp.md 10.2 C17)
      (macp.md 2.4, row 16), macp.md 6.2, 6.3, [mcp.md](mcp.md) 3.4, docs/reference/operations.md 1.1, operations-api.md 1.`;
    expect(
      citationsIn(text).map(({ page, section, row }) => [page, section, row ?? ''].join(' ').trim()),
    ).toEqual([
      'macp 2.2',
      'macp 2.9',
      'macp 7.3',
      'operations 10',
      'macp 10.2 C17',
      'macp 2.4',
      'macp 6.2',
      'macp 6.3',
      'mcp 3.4',
    ]);
  });

  it('of requirements lead to a section or a group of decisions', () => {
    const groups = sectionsOf(read('docs/decisions/README.md'));
    const missing = requirements
      .filter(({ source, section }) =>
        source === 'MACP'
          ? !sections.get('macp')?.has(section)
          : source === 'decisions' && !groups.has(section),
      )
      .map(({ id, source, section }) => `${id}: ${source} ${section}`);
    expect(missing).toEqual([]);
  });
});

describe('links of the pages', () => {
  const pages = [
    ...filesUnder('docs').filter((path) => path.endsWith('.md')),
    ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ];

  it.each(pages)('%s points to what is there', (page) => {
    const broken = linksIn(read(page)).filter(({ path, anchor }) => {
      const target = path === '' ? join(root, page) : join(root, dirname(page), path);
      if (!existsSync(target)) return true;
      if (anchor === '' || statSync(target).isDirectory()) return false;
      return !anchorsOf(readFileSync(target, 'utf8')).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('the decisions are all in their index', () => {
    const index = new Set(linksIn(read('docs/decisions/README.md')).map(({ path }) => path));
    const files = filesUnder('docs/decisions').map((path) => relative('docs/decisions', path));
    expect(files.filter((name) => name !== 'README.md' && !index.has(name))).toEqual([]);
  });
});
