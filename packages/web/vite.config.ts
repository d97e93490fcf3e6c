import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const bytecode = (name: string): string => {
  const artifact: unknown = JSON.parse(
    readFileSync(new URL(`../../contracts/build/${name}.json`, import.meta.url), 'utf8'),
  );
  return (artifact as { readonly bytecode: string }).bytecode;
};

/** Creation code of our own contracts, for chains that have none: beside the pages, so that it is published with them. */
const creationCode: Plugin = {
  name: 'creation-code',
  generateBundle() {
    const source = JSON.stringify({ xrc137: bytecode('Xrc137'), xrc729: bytecode('Xrc729') });
    this.emitFile({ type: 'asset', fileName: 'creation-code.json', source });
  },
};

/** Into the server's own dist: the package that is published carries its pages with it. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/pages/',
  plugins: [creationCode],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('../server/dist/pages', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // The policy of these pages allows no inline code; a preload helper and data: assets would be.
    modulePreload: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Core and evm are pure: what is not used here is left out. Their libraries say the same of themselves.
    rolldownOptions: { treeshake: { moduleSideEffects: (id) => !/packages[\\/](?:core|evm)[\\/]/.test(id) } },
  },
});
