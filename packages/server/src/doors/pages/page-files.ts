/** The built pages, read once: a handful of small files, served from memory. No path from outside touches the disk. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { builtFile } from '../../platform/package-root.js';

export interface PageFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

export interface CreationCode {
  readonly xrc137: string;
  readonly xrc729: string;
}

export interface PageFiles {
  readonly shell: string;
  /** By name; names carry a hash of the content. */
  readonly assets: ReadonlyMap<string, PageFile>;
  /** Of the contracts that come with this server. */
  readonly creationCode?: CreationCode;
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Undefined when the pages were not built. */
export function readPageFiles(): PageFiles | undefined {
  const folder = fileURLToPath(builtFile('pages/'));
  if (!existsSync(`${folder}index.html`)) return undefined;
  const assets = new Map<string, PageFile>();
  for (const name of readdirSync(`${folder}assets`)) {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    if (type !== undefined)
      assets.set(name, { type, body: Uint8Array.from(readFileSync(`${folder}assets/${name}`)) });
  }
  const code = `${folder}creation-code.json`;
  return {
    shell: readFileSync(`${folder}index.html`, 'utf8'),
    assets,
    ...(existsSync(code) && { creationCode: JSON.parse(readFileSync(code, 'utf8')) as CreationCode }),
  };
}
