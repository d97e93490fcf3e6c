/** Runs a script of scripts/ as a child, so that the test's own event loop stays free. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The first installation of Python packages downloads some 20 MB. */
export const FIRST_INSTALL_MS = 10 * 60_000;

export interface ScriptRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function runScript(
  name: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<ScriptRun> {
  const script = fileURLToPath(new URL(`../../scripts/${name}`, import.meta.url));
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { env: { ...process.env, ...env } });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
