// The Python package `macp_sdk`: the same modules as `handover_macp`, under the name that the protocol's pages use. Every
// public module gets a file that only re-exports, so that types follow and `a is b` holds under both names.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const REAL = 'python/src/handover_macp';
export const PYTHON_ALIAS = 'python/src/macp_sdk';

/** Modules whose name begins with `_` are private and have no alias. */
function publicModules(root) {
  return readdirSync(join(root, REAL), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.py'))
    .map((entry) => relative(join(root, REAL), join(entry.parentPath ?? entry.path, entry.name)))
    .filter((path) => path.split(sep).every((part) => part === '__init__.py' || !part.startsWith('_')));
}

function text(path) {
  const parts = path.replace(/\.py$/, '').split(sep);
  const isPackage = parts.at(-1) === '__init__';
  const module = ['handover_macp', ...(isPackage ? parts.slice(0, -1) : parts)].join('.');
  const lines = [
    `"""Another name of \`${module}\`. Generated: npm run generate."""`,
    '',
    ...(path === '__init__.py'
      ? ['from handover_macp._alias import check_alias', '', 'check_alias()', '']
      : []),
    `from ${module} import *  # noqa: ${path === '__init__.py' ? 'E402, ' : ''}F401, F403`,
    ...(isPackage ? [`from ${module} import __all__ as __all__  # noqa: E402`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Writes the package below `into`, from the modules below `root`. */
export function writePythonAlias(root, into) {
  rmSync(join(into, PYTHON_ALIAS), { recursive: true, force: true });
  for (const path of publicModules(root)) {
    const file = join(into, PYTHON_ALIAS, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text(path));
  }
  writeFileSync(join(into, PYTHON_ALIAS, 'py.typed'), '');
}
