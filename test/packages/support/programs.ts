/** The code blocks of a page as one program, in each form in which it is written. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const IMPORT = /^import (.+?) from (.+?);\n/gms;

/** As it stands on the page: a module. `page` is a path from the root of the repository. */
export function programOf(page: string): string {
  const text = readFileSync(fileURLToPath(new URL(`../../../${page}`, import.meta.url)), 'utf8');
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block).join('\n');
}

/** The same for CommonJS, where no statement awaits outside a function. In TypeScript an import stays as it is. */
export function commonJsOf(program: string, language: 'js' | 'ts'): string {
  const imports = [...program.matchAll(IMPORT)].map(([line, names, from]) =>
    language === 'ts' ? line : `const ${names} = require(${from});\n`,
  );
  return `${imports.join('')}async function main() {\n${program.replaceAll(IMPORT, '')}}\nvoid main();\n`;
}
