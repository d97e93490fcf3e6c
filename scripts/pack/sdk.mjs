// Makes the npm package of the TypeScript SDK: it needs nothing of ours beside itself.
// `node scripts/pack/sdk.mjs <folder>` writes the tarball alone.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sdkManifest } from './manifest.mjs';
import { npmPack } from './npm.mjs';
import { bundleSdk } from './sdk-bundle.mjs';

export async function stageSdk(root, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const imports = await bundleSdk(root, `${folder}/dist`);
  copyFileSync(`${root}/packages/sdk/README.md`, `${folder}/README.md`);
  for (const name of ['CHANGELOG.md', 'LICENSE']) copyFileSync(`${root}/${name}`, `${folder}/${name}`);
  writeFileSync(`${folder}/package.json`, `${JSON.stringify(sdkManifest(root, imports), undefined, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
  const out = resolve(process.argv[2]);
  const stage = `${out}/stage/sdk`;
  await stageSdk(root, stage);
  console.log(npmPack(stage, out));
}
