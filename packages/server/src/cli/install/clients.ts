import { wrongUsage } from '../conventions/failure.js';
import { didYouMean } from '../conventions/usage.js';
import type { Client } from './client.js';
import { claude } from './clients/claude.js';
import { codex } from './clients/codex.js';
import { cursor } from './clients/cursor.js';
import { gemini } from './clients/gemini.js';
import { vscode } from './clients/vscode.js';

export const CLIENTS: readonly Client[] = [claude, codex, cursor, vscode, gemini];

export function clientNamed(name: string): Client {
  const client = CLIENTS.find((one) => one.name === name);
  if (client) return client;
  const names = CLIENTS.map((one) => one.name);
  throw wrongUsage(
    `${JSON.stringify(name)} is no client that can be installed for`,
    `${didYouMean(name, names)}There are ${names.join(', ')}; for others docs/guide/mcp.md has the lines to paste`,
  );
}
