// The Python package `macp_sdk`: the public modules of `handover_macp`, under the name that the protocol's pages use. Each
// gets a file that only re-exports, so that types follow and `a is b` holds under both names.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const REAL = 'python/src/handover_macp';
export const PYTHON_ALIAS = 'python/src/macp_sdk';

/**
 * Modules whose name begins with `_` are private and have no alias. A package, too, becomes one file: Python prefers
 * a folder to a file of the same name, so a folder of ours would hide a module of another distribution, installed later.
 */
function publicModules(root) {
  return readdirSync(join(root, REAL), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || entry.name.endsWith('.py'))
    .map((entry) => ({ name: entry.name.replace(/\.py$/, ''), hasList: entry.isDirectory() }))
    .filter(({ name }) => !name.startsWith('_'));
}

const lines = (...text) => `${text.join('\n')}\n`;
const about = (module) => `"""Another name of \`${module}\`. Generated: npm run generate."""`;

const PACKAGE = lines(
  about('handover_macp'),
  '',
  'from handover_macp._alias import check_alias',
  '',
  'check_alias()',
  '',
  'from handover_macp import *  # noqa: E402, F401, F403',
  'from handover_macp import __all__ as __all__  # noqa: E402',
);

function moduleText({ name, hasList }) {
  const module = `handover_macp.${name}`;
  const all = hasList ? [`from ${module} import __all__ as __all__`] : [];
  return lines(about(module), '', `from ${module} import *  # noqa: F401, F403`, ...all);
}

/** Writes the package below `into`, from the modules below `root`. */
export function writePythonAlias(root, into) {
  const folder = join(into, PYTHON_ALIAS);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '__init__.py'), PACKAGE);
  for (const module of publicModules(root))
    writeFileSync(join(folder, `${module.name}.py`), moduleText(module));
  writeFileSync(join(folder, 'py.typed'), '');
}
