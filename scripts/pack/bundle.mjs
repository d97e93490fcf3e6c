// The command as one bundle: our own packages in a handful of files, those of others left as ordinary dependencies.
import { rolldown } from 'rolldown';
import { isOurs, packagesOf } from './imports.mjs';

/** By the paths that tsc gives them: the server looks for its workers there. */
const ENTRIES = ['cli/main', 'store/sqlite/worker', 'services/large/worker'];

/** Reads what tsc compiled, and writes into `folder`. Answers the packages of others that the bundle imports. */
export async function bundleCommand(compiled, folder) {
  const build = await rolldown({
    input: Object.fromEntries(ENTRIES.map((entry) => [entry, `${compiled}/${entry}.js`])),
    platform: 'node',
    external: (name) => !isOurs(name),
    logLevel: 'warn',
  });
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'parts/[name]-[hash].js',
    comments: { legal: true, annotation: true, jsdoc: false },
  });
  await build.close();
  return packagesOf(output);
}
