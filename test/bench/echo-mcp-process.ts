/** The bare echo tool over HTTP, in a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const ECHO = fileURLToPath(new URL('./echo-mcp.mjs', import.meta.url));

export async function startEchoMcp() {
  const child = spawn(process.execPath, [ECHO, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [chunk] = await once(child.stdout, 'data');
  const port = /ready (\d+)/.exec(String(chunk))?.[1] ?? '';
  return { url: `http://127.0.0.1:${port}/mcp`, stop: () => child.kill() };
}
