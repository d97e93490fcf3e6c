// The package.json of each package that is published on npm.
import { readdirSync, readFileSync } from 'node:fs';

const json = (file) => JSON.parse(readFileSync(file, 'utf8'));

/**
 * Of the `handover` command, which has a bin and no API: programs use the SDKs or the protocols.
 * `imports` are the packages of others that the bundle needs; their versions are those of our own packages.
 */
export function commandManifest(root, imports) {
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
    dependencies: versionsOf(root, imports),
  };
}

const ESM = { types: './dist/index.d.ts', default: './dist/index.js' };
const CJS = { types: './dist/index.d.cts', default: './dist/index.cjs' };

/** Of the TypeScript SDK. Where Node can require ESM, `require` gets it, so that there is one class of each name. */
export function sdkManifest(root, imports) {
  const own = json(`${root}/packages/sdk/package.json`);
  const { name, version, description, license, engines, peerDependencies, peerDependenciesMeta } = own;
  const versions = Object.entries(versionsOf(root, imports));
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    engines,
    sideEffects: false,
    main: CJS.default,
    types: CJS.types,
    exports: {
      '.': { 'module-sync': ESM, import: ESM, require: CJS },
      './package.json': './package.json',
    },
    // A range: a program that has these packages already needs no second copy, and gets their fixes without ours.
    dependencies: Object.fromEntries(versions.map(([one, exact]) => [one, `^${exact}`])),
    peerDependencies,
    peerDependenciesMeta,
  };
}

function versionsOf(root, imports) {
  const packages = readdirSync(`${root}/packages`).map((name) =>
    json(`${root}/packages/${name}/package.json`),
  );
  const versions = Object.assign({}, ...packages.map(({ dependencies = {} }) => dependencies));
  const unknown = imports.filter((name) => versions[name] === undefined);
  if (unknown.length > 0) throw new Error(`no package of ours declares ${unknown.join(', ')}`);
  return Object.fromEntries([...imports].sort().map((one) => [one, versions[one]]));
}
