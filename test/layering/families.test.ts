/**
 * Families are told apart by asking them, not by comparing names: outside of the family folders no source switches on a
 * family, compares one with a name, or keeps a table by names. The rules of 0.1.0 stay as they were.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Family } from '@handover/core';
import { describe, expect, it } from 'vitest';

const packages = fileURLToPath(new URL('../../packages/', import.meta.url));
const sources = ['core/src', 'evm/src', 'server/src'].flatMap((folder) =>
  readdirSync(join(packages, folder), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && file.name.endsWith('.ts') && !file.name.endsWith('.test.ts'))
    .map((file) => join(file.parentPath, file.name))
    .map((path) => ({ path: relative(packages, path), text: readFileSync(path, 'utf8') })),
);

const OWN = [
  /^core\/src\/operation\/families\//,
  /^core\/src\/operation\/rev1\//,
  /^server\/src\/services\/operations\/families\//,
];

const names = Object.values(Family).join('|');
const TOLD_APART = [
  /switch \([^)]*\bfamily\b/i,
  /(?:===|!==|\bcase) *\(?Family\.\w+/,
  /Family\.\w+ *(?:===|!==)/,
  /\[Family\.\w+\]:/,
  new RegExp(`family\\b[^\\n;]*(?:===|!==) *['"](?:${names})['"]`, 'i'),
];
const tellsApart = (text: string) => TOLD_APART.some((pattern) => pattern.test(text));

describe('families', () => {
  it('are told apart in their own folders only', () => {
    const offenders = sources
      .filter(({ path, text }) => !OWN.some((own) => own.test(path)) && tellsApart(text))
      .map(({ path }) => path);
    expect(offenders).toEqual([]);
  });

  it('would be found out', () => {
    for (const text of [
      'switch (state.family) {',
      'if (state.family === Family.BundleDeploy) return;',
      'const TABLE = { [Family.Operation]: 1 };',
      "if (record.family !== 'session_start') return;",
    ])
      expect(tellsApart(text), text).toBe(true);
    expect(sources.some(({ path, text }) => OWN[1]?.test(path) && tellsApart(text))).toBe(true);
  });

  it('ids have one shape', () => {
    const shapes = sources.filter(({ text }) => /\^(?:op|bd|ss)_/.test(text)).map(({ path }) => path);
    expect(shapes).toEqual([]);
  });

  it('chain reading knows no service', () => {
    const importing = sources.filter(
      ({ path, text }) => path.startsWith('server/src/chain/') && /from '[^']*\/services\//.test(text),
    );
    expect(importing.map(({ path }) => path)).toEqual([]);
  });
});
