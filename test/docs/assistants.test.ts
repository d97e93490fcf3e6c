/** assistants:5.4 the pages of assistants show what install writes, from the golden files of its tests. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Blocks, expectPage } from './generated.js';

const PLACES = {
  claude: { hooks: ['claude-user', '.claude/settings.json'] },
  codex: { entry: ['codex-user', '.codex/config.toml'], hooks: ['codex-user', '.codex/hooks.json'] },
  cursor: { entry: ['cursor-user', '.cursor/mcp.json'] },
  vscode: { entry: ['vscode-project', 'work/shop/.vscode/mcp.json'] },
  gemini: { entry: ['gemini-user', '.gemini/settings.json'] },
} as const;

const golden = (name: string) =>
  readFileSync(new URL(`../cli/install/golden/${name}.txt`, import.meta.url), 'utf8');

/** One file of a golden home, as code. */
function fileIn(name: string, path: string): string {
  const [, rest = ''] = golden(name).split(`===== ${path} `);
  const text = rest.slice(rest.indexOf('\n') + 1).split('\n===== ')[0] ?? '';
  expect(text, `${name} has ${path}`).not.toBe('');
  return `\`\`\`${path.slice(path.lastIndexOf('.') + 1)}\n${text.trim()}\n\`\`\``;
}

/** What a program of the assistant was told, as one would type it. */
function toldIn(name: string): string {
  const words = JSON.parse(/^ran (.*)$/m.exec(golden(name))?.[1] ?? '[]') as readonly string[];
  expect(words.length, name).toBeGreaterThan(2);
  return `\`\`\`sh\n${words.map((word) => (/^[\w./-]+$/.test(word) ? word : `'${word}'`)).join(' ')}\n\`\`\``;
}

const TOLD: Readonly<Record<string, Blocks>> = {
  claude: { entry: toldIn('claude-user') },
  vscode: { 'entry-of-user': toldIn('vscode-user') },
};

it.each(Object.entries(PLACES))(
  'assistants:5.4 the page of %s shows what is written',
  async (client, files) => {
    const written = Object.fromEntries(
      Object.entries(files).map(([block, [name, path]]) => [block, fileIn(name, path)]),
    );
    const { entry, ...others } = { ...TOLD[client], ...written } as Record<string, string>;
    await expectPage(`docs/assistants/${client}.md`, { entry: entry ?? '', ...others });
  },
);
