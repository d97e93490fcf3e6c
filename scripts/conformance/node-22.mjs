// The suite and the inspector need Node 22. Where this is an older one, npx brings another, for these programs only.
import { spawnSync } from 'node:child_process';

export function node22() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const { status, stdout } = spawnSync('npx', ['--yes', '-p', 'node@22', 'node', '-p', 'process.execPath'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('the suite needs Node 22, and npx could not bring it');
  return stdout.trim();
}
