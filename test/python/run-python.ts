/** Runs scripts/python-tests.mjs as a child, so that the test's own event loop stays free. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../scripts/python-tests.mjs', import.meta.url));

/** The first installation downloads some 20 MB. */
export const FIRST_INSTALL_MS = 10 * 60_000;

export interface PythonRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function runPython(...args: string[]): Promise<PythonRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args]);
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

/** The interpreter that has the Python client's dependencies; undefined where there is none and none is required. */
export async function pythonInterpreter(): Promise<string | undefined> {
  const { code, stdout, stderr } = await runPython('--interpreter');
  if (code !== 0) throw new Error(stderr);
  return stdout.trim() || undefined;
}
