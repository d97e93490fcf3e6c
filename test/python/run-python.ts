/** The Python client's own environment. */
import { runScript, type ScriptRun } from './run-script.js';

export { FIRST_INSTALL_MS } from './run-script.js';

export function runPython(...args: string[]): Promise<ScriptRun> {
  return runScript('python-tests.mjs', args);
}

/** The interpreter that has the Python client's dependencies; undefined where there is none and none is required. */
export async function pythonInterpreter(): Promise<string | undefined> {
  const { code, stdout, stderr } = await runPython('--interpreter');
  if (code !== 0) throw new Error(stderr);
  return stdout.trim() || undefined;
}
