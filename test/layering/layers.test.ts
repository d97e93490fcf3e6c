/**
 * The layer rule, re-derived from the sources so that no lint comment can switch it off: core imports nothing; engine
 * and wire import core; a door imports no store and no other door; a store knows no door; only server.ts knows
 * implementations. And core and engine read no clock and no randomness.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const packages = fileURLToPath(new URL('../../packages/', import.meta.url));

interface Source {
  /** Path below packages/, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const sources: readonly Source[] = readdirSync(packages, { recursive: true, withFileTypes: true })
  .filter((file) => file.isFile() && file.name.endsWith('.ts') && !file.name.endsWith('.test.ts'))
  .map((file) => join(file.parentPath, file.name))
  .filter((path) => path.includes('/src/') && !path.includes('/node_modules/') && !path.includes('/testing/'))
  .map(read);

function read(path: string): Source {
  const text = readFileSync(path, 'utf8');
  const specifiers = [...text.matchAll(/(?<![\w'"])(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(
    ([, name]) => name ?? '',
  );
  const imports = specifiers.map((name) =>
    name.startsWith('.') ? relative(packages, resolve(dirname(path), name)) : name,
  );
  return { path: relative(packages, path), text, imports };
}

const below = (folder: string) => sources.filter(({ path }) => path.startsWith(folder));
const offences = (files: readonly Source[], forbidden: (name: string) => boolean) =>
  files.flatMap(({ path, imports }) => imports.filter(forbidden).map((name) => `${path} imports ${name}`));

describe('layers', () => {
  it('finds the sources it is about', () => {
    for (const folder of ['core/src', 'wire/src', 'engine/src', 'server/src/doors', 'server/src/store'])
      expect(below(folder).length, folder).toBeGreaterThan(1);
  });

  it('core imports nothing but itself', () => {
    expect(offences(below('core/src'), (name) => !name.startsWith('core/src'))).toEqual([]);
  });

  it('a session knows the mode interface and the registry, and no mode by name', () => {
    const known = ['core/src/modes/mode.js', 'core/src/modes/registry.js'];
    const foreign = (name: string) =>
      /^core\/src\/(modes|bound-session)\//.test(name) && !known.includes(name);
    expect(offences(below('core/src/session/'), foreign)).toEqual([]);
    const inAMode = (name: string) => /^core\/src\/modes\/[^/]+\//.test(name);
    expect(offences(below('core/src/envelope/'), inAMode)).toEqual([]);
    expect(offences(below('core/src/policy/'), (name) => name.startsWith('core/src/modes/'))).toEqual([]);
    expect(offences(below('core/src/registry/'), inAMode)).toEqual([]);
  });

  it('engine imports core, wire imports core and protobuf', () => {
    expect(offences(below('engine/src'), (name) => !/^(engine\/src|@handover\/core$)/.test(name))).toEqual(
      [],
    );
    expect(
      offences(below('wire/src'), (name) => !/^(wire\/src|@handover\/core$|@bufbuild\/protobuf)/.test(name)),
    ).toEqual([]);
  });

  it('the SDK imports core and wire, never engine or server', () => {
    expect(
      offences(below('sdk/src'), (name) => /^@handover\/(engine|server)|^(engine|server)\//.test(name)),
    ).toEqual([]);
  });

  it('doors reach no store, and not one another', () => {
    expect(offences(below('server/src/doors'), (name) => name.startsWith('server/src/store'))).toEqual([]);
    for (const door of ['grpc', 'http']) {
      const others = ['grpc', 'http']
        .filter((other) => other !== door)
        .map((other) => `server/src/doors/${other}`);
      expect(
        offences(below(`server/src/doors/${door}/`), (name) =>
          others.some((other) => name.startsWith(other)),
        ),
      ).toEqual([]);
    }
  });

  it('stores know no door, no pipeline and no credentials', () => {
    expect(
      offences(below('server/src/store'), (name) => /^server\/src\/(doors|pipeline|auth)/.test(name)),
    ).toEqual([]);
  });

  it('auth and pipeline know no door and no store', () => {
    const upper = [...below('server/src/auth'), ...below('server/src/pipeline')];
    expect(offences(upper, (name) => /^server\/src\/(doors|store)/.test(name))).toEqual([]);
  });
});

describe('purity', () => {
  const pure = [...below('core/src'), ...below('engine/src')];
  const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');

  it('core and engine read no clock, no randomness, no process and start no timer', () => {
    const banned =
      /\bDate\.now\b|\bnew Date\b|\bDate\(|\bMath\.random\b|\bperformance\.|\bcrypto\.|\bprocess\.|\bset(?:Timeout|Interval|Immediate)\b|\bfetch\(|\bIntl\.|toLocale/;
    const hits = pure.filter(({ text }) => banned.test(withoutComments(text))).map(({ path }) => path);
    expect(hits).toEqual([]);
  });

  it('core decides without waiting', () => {
    const hits = below('core/src').filter(({ text }) =>
      /\basync\b|\bawait\b|\bPromise\b/.test(withoutComments(text)),
    );
    expect(hits.map(({ path }) => path)).toEqual([]);
  });

  it('notices a breach when there is one', () => {
    const breach = read(fileURLToPath(import.meta.url));
    expect(offences([breach], (name) => name.startsWith('node:'))).not.toEqual([]);
  });
});
