/** The sources of all packages, and what each imports; test code is left out. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export interface Source {
  /** Path below packages/, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** Our own files and packages as paths below packages/; the modules of others as they are written. */
  readonly imports: readonly string[];
}

const packages = fileURLToPath(new URL('../../packages/', import.meta.url));

/** Name of each workspace package -> its folder below packages/. */
const workspaces: ReadonlyMap<string, string> = new Map(
  readdirSync(packages).flatMap((folder) => {
    const text = readIfThere(join(packages, folder, 'package.json'));
    return text === undefined ? [] : [[(JSON.parse(text) as { name: string }).name, folder]];
  }),
);

const TEST_CODE = /\.test\.|\.test\.helper\.|\/testing\//;

export function readSources(): readonly Source[] {
  return readdirSync(packages, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => relative(packages, join(file.parentPath, file.name)).replaceAll('\\', '/'))
    .filter((path) => /^[^/]+\/src\/.*\.[cm]?[jt]sx?$/.test(path) && !TEST_CODE.test(path))
    .map((path) => sourceOf(path, readFileSync(join(packages, path), 'utf8')));
}

export function sourceOf(path: string, text: string): Source {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  return { path, text, imports: importedFiles.map(({ fileName }) => resolved(path, fileName)) };
}

function resolved(importer: string, name: string): string {
  if (name.startsWith('.')) {
    const path = relative(packages, resolve(packages, dirname(importer), name)).replaceAll('\\', '/');
    return path.replace(/\.js$/, '.ts').replace(/\.jsx$/, '.tsx');
  }
  const [first = '', second = ''] = name.split('/');
  const folder = workspaces.get(first.startsWith('@') ? `${first}/${second}` : first);
  return folder === undefined ? name : `${folder}/src/index.ts`;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
