/** Runs the commands of a page as written. They need bash and curl, which whoever reads the page has. */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

const URL_OF_PAGES = 'http://127.0.0.1:3100';

/** CI has the tools; elsewhere a test of a page is left out without them. */
export const canRunScripts =
  process.env.CI !== undefined ||
  ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);

/** `url`: of the server in place of the one that pages name. The first command that fails ends it. */
export async function runScript(
  script: string,
  url: string,
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const own = script.replaceAll(URL_OF_PAGES, url);
  const { stdout } = await promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', own], options);
  return stdout;
}
