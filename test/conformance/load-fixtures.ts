import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fixtureShape } from './fixture-shape.js';
import type { Fixture, NamedFixture } from './fixture-types.js';

const FIXTURES = fileURLToPath(new URL('./fixtures/', import.meta.url));

/** Parses one fixture; throws with the file's name and the path inside it when a key is unknown or a type is wrong. */
export function parseFixture(name: string, text: string): Fixture {
  try {
    const value: unknown = JSON.parse(text);
    fixtureShape(value, '$');
    return value as Fixture;
  } catch (error) {
    throw new Error(`fixture ${name}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** Every fixture under `fixtures/`, sorted by name; `<area>/<name>`. */
export function loadFixtures(folder: string = FIXTURES): readonly NamedFixture[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => ({
      name: file.slice(0, -'.json'.length).replaceAll('\\', '/'),
      fixture: parseFixture(file, readFileSync(`${folder}/${file}`, 'utf8')),
    }));
}
