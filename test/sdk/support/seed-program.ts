/**
 * Runs text from the seed page as a program of its own. What is added is named in the program: imports and a client before
 * the blocks, assertions after each. The file lies below node_modules, so that the package is found as a user finds it.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SEED_BLOCKS } from '../seeds/000-blocks.js';

export type BlockName = keyof typeof SEED_BLOCKS;
/** A block by its name, or a line of assertions. */
export type Part = { readonly block: BlockName } | { readonly assert: string };

const PRELUDE = `import assert from 'node:assert/strict';
import { Auth, MacpClient } from 'macp-sdk-typescript';

const client = new MacpClient({ address: process.env.HANDOVER_ADDRESS ?? '', auth: Auth.devAgent('alice') });
`;
const END = 'client.close();\n';

const folder = new URL('../../../node_modules/.cache/handover-seeds/', import.meta.url);

export function writeSeedProgram(name: string, deps: readonly Part[]): string {
  const body = deps.map((part) => ('block' in part ? `\n${SEED_BLOCKS[part.block].text}\n` : part.assert));
  mkdirSync(folder, { recursive: true });
  const file = fileURLToPath(new URL(`${name}.mts`, folder));
  writeFileSync(file, `${PRELUDE}${body.join('\n')}\n${END}`);
  return file;
}

/** Rejects, with what the program wrote, when it does not end with 0. */
export async function runSeedProgram(file: string, address: string): Promise<void> {
  const env = { ...process.env, HANDOVER_ADDRESS: address };
  await promisify(execFile)(process.execPath, ['--import', 'tsx', file], { env, timeout: 30_000 });
}
