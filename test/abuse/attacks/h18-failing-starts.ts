/** H18: what a server says that cannot start, or cannot write. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { start } from '../../kit/envelopes.js';
import { IDENTITIES, Token } from '../arena/identities.js';
import { newFolder } from '../arena/target.js';
import type { Arena, Attack } from '../attack.js';
import { codeOfSend, grpcAs, heavyContext, heavySession } from '../wire/macp.js';

const DISK_MB = 6;

export const failingStarts: Attack = {
  row: 'H18',
  title: 'starts that fail',

  async probe(arena) {
    await ports(arena);
    const wrong = await arena.launch({ env: { ...IDENTITIES, MACP_MESSAGE_LIMIT_PER_MINUTE: 'many' } });
    arena.say(`a wrong setting: ${told(wrong.said)}`);
    await fullDisk(arena);
  },
};

async function ports({ launch, say }: Arena): Promise<void> {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as { port: number };
  for (const [name, args] of [
    ['gRPC', ['--bind', `127.0.0.1:${port}`]],
    ['HTTP', ['--http-port', String(port)]],
  ] as const) {
    const { said, ended } = await launch({ env: IDENTITIES, args });
    say(`the ${name} port is taken: ${told(said)}${ended ? '' : ' (and the process does not end)'}`);
  }
  taken.close();
}

async function fullDisk({ serve, say }: Arena): Promise<void> {
  const disk = join(newFolder(), 'disk');
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=700`, 'tmpfs', disk], {
      stdio: 'ignore',
    });
  } catch {
    return say('a full disk: not tried, mounting a small one needs root');
  }
  try {
    const target = await serve({ folder: disk, env: { HANDOVER_DISK_FLOOR_BYTES: '0' } });
    say(`a disk that runs full: ${await filled(target.grpc)}`);
    say(`and in its log: ${told(target.process.stderr)}`);
    await target.process.stop('SIGKILL');
  } finally {
    execFileSync('umount', ['--lazy', disk]);
  }
}

/** The answers while the disk runs full, each once. */
async function filled(grpc: string): Promise<string> {
  const client = grpcAs(grpc, Token.attacker);
  const sessionId = await heavySession(client, 'attacker', 'accomplice', 1);
  const codes = new Set<string>();
  for (let n = 0; n < DISK_MB; n++) codes.add(await codeOfSend(client, heavyContext(sessionId, 'attacker')));
  codes.add(await codeOfSend(client, start(randomUUID(), 'attacker', { participants: ['attacker', 'b'] })));
  return [...codes].join(', then ');
}

/** What an operator reads, on one line and without what differs from run to run. */
function told(said: string): string {
  const text = said
    .trim()
    .replace(/\s*\n\s*/g, ' | ')
    .replace(/"ts":"[^"]*",?/g, '')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>');
  return text === '' ? 'nothing' : text.slice(0, 600);
}
