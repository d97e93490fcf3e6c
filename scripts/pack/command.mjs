// Makes the package of the `handover` command in an empty folder: one bundle, the pages, and what a reader looks for.
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { bundleCommand } from './bundle.mjs';
import { commandManifest } from './manifest.mjs';
import { notices } from './notices.mjs';

export async function stageCommand(root, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(`${folder}/bin`, { recursive: true });
  const compiled = `${root}/packages/server/dist`;
  const imports = await bundleCommand(compiled, `${folder}/dist`);
  const isFile = (path) => !path.endsWith('/.sources');
  cpSync(`${compiled}/pages`, `${folder}/dist/pages`, { recursive: true, filter: isFile });
  copyFileSync(`${root}/packages/server/bin/handover.js`, `${folder}/bin/handover.js`);
  for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE'])
    copyFileSync(`${root}/${name}`, `${folder}/${name}`);
  writeFileSync(`${folder}/THIRD_PARTY_NOTICES`, notices(root));
  writeFileSync(
    `${folder}/package.json`,
    `${JSON.stringify(commandManifest(root, imports), undefined, 2)}\n`,
  );
}
