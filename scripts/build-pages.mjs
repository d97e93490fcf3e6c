// Builds the review pages into the server's dist, when what they are made of has changed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const output = `${root}packages/server/dist/pages`;
const stamp = `${output}/.sources`;

/** Everything that ends up in the bundle: the pages, what they take from core and evm, the contracts, the versions. */
function sources() {
  const hash = createHash('sha256');
  const files = ['packages/web/src', 'packages/core/dist', 'packages/evm/dist', 'contracts/build']
    .flatMap((folder) =>
      readdirSync(root + folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !/\.test\.|\.map$|\.d\.ts$|tsbuildinfo/.test(entry.name))
        .map((entry) => `${entry.parentPath}/${entry.name}`),
    )
    .concat(
      ['packages/web/index.html', 'packages/web/vite.config.ts', 'package-lock.json'].map(
        (name) => root + name,
      ),
    );
  for (const file of files.sort()) hash.update(file.slice(root.length)).update(readFileSync(file));
  return hash.digest('hex');
}

const wanted = sources();
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  await build({ configFile: `${root}packages/web/vite.config.ts`, logLevel: 'error' });
  writeFileSync(stamp, wanted);
}
