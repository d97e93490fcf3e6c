/** H1: a project whose `.git` is no repository, but pipes and devices: whatever looks for its name must come to an end. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HandoverProcess } from '../../kit/handover-process.js';
import { newFolder } from '../arena/target.js';
import type { Attack } from '../attack.js';

const PATIENCE_MS = 20_000;

const FOLDERS: readonly (readonly [string, (git: string) => void])[] = [
  ['config is a pipe', (git) => void execFileSync('mkfifo', [join(git, 'config')])],
  ['config is /dev/zero', (git) => symlinkSync('/dev/zero', join(git, 'config'))],
  ['HEAD is a pipe', (git) => void execFileSync('mkfifo', [join(git, 'HEAD')])],
  ['HEAD is /dev/zero', (git) => symlinkSync('/dev/zero', join(git, 'HEAD'))],
  [
    'commondir leads to itself',
    (git) => {
      writeFileSync(join(git, 'HEAD'), 'ref: refs/heads/main\n');
      writeFileSync(join(git, 'commondir'), '.\n');
    },
  ],
];

const INITIALIZE = `${JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'abuse', version: '1' } },
})}\n`;

export const hostileFolders: Attack = {
  row: 'H1-FOLDERS',
  title: 'a project with pipes and devices in .git',

  async probe({ serve, say }) {
    const { process: server } = await serve();
    // Of the attacked build.
    const binary = server.child.spawnargs.find((word) => word.endsWith('handover.js')) ?? '';
    for (const [what, spoil] of FOLDERS) {
      const project = newFolder();
      mkdirSync(join(project, '.git'));
      spoil(join(project, '.git'));
      const asked = JSON.stringify({ session_id: 'abuse', cwd: project, source: 'startup' });
      for (const [words, input, openUntil] of [
        [['inbox', '--agent', 'a', '--project', project], ''],
        [['hook', 'session-start', '--client', 'claude', '--project', project], asked],
        [['mcp', '--agent', 'a', '--project', project], INITIALIZE, /"id":1[,}]/],
      ] as const) {
        const begun = performance.now();
        const args = [...words, '--data-dir', join(project, 'data')];
        const options = { binary, input, env: { HANDOVER_IDLE_SECS: '1' } };
        const command = new HandoverProcess(args, { ...options, ...(openUntil && { openUntil }) });
        const ended = await Promise.race([command.exited, sleep(PATIENCE_MS, 'never')]);
        if (ended === 'never') await command.stop('SIGKILL');
        const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
        say(
          `${what}, ${words[0]}: ${ended === 'never' ? 'does not end' : `ends with ${ended}`}, ${seconds} s`,
        );
      }
    }
    await server.stop('SIGKILL');
  },
};
