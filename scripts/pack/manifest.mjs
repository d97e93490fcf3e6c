// The package.json of the `handover` command. It has a bin and no API: programs use the SDKs or the protocols.
import { readdirSync, readFileSync } from 'node:fs';

const json = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** `imports`: the packages of others that the bundle needs; their versions are those of our own packages. */
export function commandManifest(root, imports) {
  const packages = readdirSync(`${root}/packages`).map((name) =>
    json(`${root}/packages/${name}/package.json`),
  );
  const versions = Object.assign({}, ...packages.map(({ dependencies = {} }) => dependencies));
  const unknown = imports.filter((name) => versions[name] === undefined);
  if (unknown.length > 0) throw new Error(`no package of ours declares ${unknown.join(', ')}`);
  const { name, version, description, license, engines } = json(`${root}/package.json`);
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    engines,
    bin: { [name]: 'bin/handover.js' },
    exports: { './package.json': './package.json' },
    dependencies: Object.fromEntries([...imports].sort().map((one) => [one, versions[one]])),
  };
}
