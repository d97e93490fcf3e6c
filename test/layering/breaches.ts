/** Holds sources against the table of layers. */
import { exceptions, type Layer, type LayerName, layers } from './layers.js';
import type { Source } from './sources.js';

const named = Object.entries(layers) as readonly [LayerName, Layer][];

/** The layer of a file below packages/, or undefined. */
export function layerOf(path: string): LayerName | undefined {
  const fitting = named.flatMap(([name, { holds }]) =>
    holds.filter((place) => fits(place, path)).map((place) => ({ name, length: place.length })),
  );
  return fitting.sort((one, other) => other.length - one.length)[0]?.name;
}

function fits(place: string, path: string): boolean {
  if (place.endsWith('/*')) return path.slice(0, path.lastIndexOf('/') + 1) === place.slice(0, -1);
  return place.endsWith('/') ? path.startsWith(place) : path === place;
}

/** One sentence for each import that the table does not allow. A file in no layer may import nothing. */
export function breachesOf({ path, imports }: Source): readonly string[] {
  const name = layerOf(path);
  if (name === undefined) return [`${path} is in no layer`];
  return imports
    .filter((imported) => !allows(name, imported) && exceptionFor({ path, name }, imported) === undefined)
    .map((imported) => `${path} (${name}) imports ${imported} (${layerOf(imported) ?? 'no layer'})`);
}

function allows(name: LayerName, imported: string): boolean {
  const { layers: others, modules } = layers[name];
  const target = layerOf(imported);
  if (target !== undefined) return target === name || others.includes(target);
  return modules.some((module) =>
    module.endsWith(':')
      ? imported.startsWith(module)
      : imported === module || imported.startsWith(`${module}/`),
  );
}

function exceptionFor(file: { path: string; name: LayerName }, imported: string) {
  return exceptions.find(
    ({ from, imports }) => (from === file.path || from === file.name) && imports.includes(imported),
  );
}

/** Exceptions that no source needs any more. */
export function staleExceptions(sources: readonly Source[]): readonly string[] {
  return exceptions.flatMap(({ from, imports }) => {
    const files = sources.filter(({ path }) => path === from || layerOf(path) === from);
    const used = new Set(files.flatMap((file) => file.imports));
    return imports.filter((path) => !used.has(path)).map((path) => `${from} no longer imports ${path}`);
  });
}
