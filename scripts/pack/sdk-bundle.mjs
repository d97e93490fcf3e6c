// The TypeScript SDK with core and wire inside: the same program for `import` and for `require`, and its types.
import { writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { isOurs, packagesOf } from './imports.mjs';

/** What a program may want without a client. In a file of its own, a bundler takes this and leaves gRPC out. */
const PLAIN = /\/sdk\/dist\/(?:envelope\/(?:ids|outcome)|arguments|error-codes|errors|auth|logging)\.js$/;
const GROUPS = [
  { name: 'plain', test: PLAIN, priority: 1 },
  { name: 'client', test: /\/packages\// },
];

/** Reads what tsc compiled, and writes into `folder`. Answers the packages of others that code or types import. */
export async function bundleSdk(root, folder) {
  const build = await rolldown({
    input: { index: `${root}/packages/sdk/dist/index.js` },
    platform: 'node',
    external: (name) => !isOurs(name),
    logLevel: 'warn',
  });
  const written = { dir: folder, comments: { legal: true, annotation: true, jsdoc: false } };
  const names = { entryFileNames: '[name].js', chunkFileNames: 'parts/[name].js' };
  const esm = await build.write({ ...written, ...names, format: 'esm', codeSplitting: { groups: GROUPS } });
  const cjs = await build.write({ ...written, entryFileNames: '[name].cjs', format: 'cjs' });
  await build.close();
  // Types say the same to both formats: a module may take those of CommonJS, but not the other way round.
  const types = await bundleTypes(root, `${folder}/index.d.cts`);
  writeFileSync(`${folder}/index.d.ts`, "export * from './index.cjs';\n");
  return packagesOf([...esm.output, ...cjs.output, ...types.output]);
}

async function bundleTypes(root, file) {
  const inlined = Object.fromEntries(
    ['core', 'wire'].map((name) => [`@handover/${name}`, `${root}/packages/${name}/dist/index.d.ts`]),
  );
  const build = await rollup({
    input: `${root}/packages/sdk/dist/index.d.ts`,
    external: (name) => !isOurs(name),
    plugins: [{ name: 'inlined', resolveId: (name) => inlined[name] }, dts()],
    onwarn: ({ message }) => {
      throw new Error(`the types of the SDK: ${message}`);
    },
  });
  const output = await build.write({ file, format: 'es' });
  await build.close();
  return output;
}
