/** The code blocks of a page, in each form in which a program is written. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const IMPORT = /^import (.+?) from (.+?);\n/gms;
const NAMED = /^\/\/ (\w+)\.ts\n/;

/** `page` is a path from the root of the repository. */
export class Page {
  readonly #text: string;
  readonly #blocks: readonly string[];

  constructor(page: string) {
    this.#text = readFileSync(fileURLToPath(new URL(`../../../${page}`, import.meta.url)), 'utf8');
    this.#blocks = [...this.#text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = '']) => block);
  }

  /** The blocks without a name, in order: one program, a module. */
  get program(): string {
    return this.#blocks.filter((block) => !NAMED.test(block)).join('\n');
  }

  /** A program of its own, whose first line says its name. */
  named(name: string): string {
    const found = this.#blocks.find((block) => NAMED.exec(block)?.[1] === name);
    if (found === undefined) throw new Error(`the page has no program ${name}`);
    return found;
  }

  /** What the page says that a program prints. */
  printed(name: string): string {
    return new RegExp(`^\`\`\`text ${name}\\n(.*?)^\`\`\`$`, 'ms').exec(this.#text)?.[1] ?? '';
  }
}

/** A module for CommonJS, where no statement awaits outside a function. In TypeScript an import stays as it is. */
export function commonJsOf(program: string, language: 'js' | 'ts'): string {
  const imports = [...program.matchAll(IMPORT)].map(([line, names, from]) =>
    language === 'ts' ? line : `const ${names} = require(${from});\n`,
  );
  return `${imports.join('')}async function main() {\n${program.replaceAll(IMPORT, '')}}\nvoid main();\n`;
}
