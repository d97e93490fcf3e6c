/** A server that cannot start, or cannot store, says why and what to do: one sentence, no stack, no hanging process. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore } from '@handover/engine';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../packages/server/src/observe/log.js';
import { startServer } from '../../packages/server/src/server.js';
import { testConfiguration } from '../kit/configuration.js';
import { start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { handover, serve } from '../kit/handover-command.js';
import { BINARY, type HandoverProcess } from '../kit/handover-process.js';
import { call, connectHttp } from '../kit/mcp-clients.js';
import { selfSigned } from '../kit/self-signed.js';
import { openServer } from '../kit/server.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { until } from '../kit/until.js';

const TOKENS = { MACP_AUTH_TOKENS_JSON: '[{"token":"a-token-of-at-least-24-bytes","sender":"s"}]' };
const NOBODY = { uid: 65_534, gid: 65_534 };
const INSECURE = { MACP_ALLOW_INSECURE: '1' };
/** The exit code of a wrong setting. */
const SETTING = 2;

/** What it said: it ended by itself, with a code, without a stack trace. */
async function said(server: HandoverProcess, code = 1): Promise<string> {
  expect(await server.exited).toBe(code);
  expect(server.stdout).toBe('');
  expect(server.stderr).toMatch(/^handover: /m);
  expect(server.stderr).not.toMatch(/^\s+at /m);
  expect(server.stderr).not.toContain('an internal error');
  return server.stderr;
}

function file(name: string, text: string): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

describe('hardening:H18 a server that cannot start', () => {
  const taken = createServer().listen(0, '127.0.0.1');
  afterAll(() => taken.close());
  const port = () => (taken.address() as { port: number }).port;
  const on = (args: readonly string[], env = {}) =>
    handover(['serve', '--dev', '--memory-only', ...args], env);

  it.each([
    ['gRPC', () => on(['--bind', `127.0.0.1:${port()}`, '--http-port', '0']), 'MACP_BIND_ADDR'],
    ['HTTP', () => on(['--bind', '127.0.0.1:0', '--http-port', `${port()}`]), 'MCP_HTTP_PORT'],
    [
      'metrics',
      () => on(['--bind', '127.0.0.1:0', '--http-port', '0'], { MACP_METRICS_ADDR: `127.0.0.1:${port()}` }),
      'MACP_METRICS_ADDR',
    ],
  ])(
    'hardening:H18 says that the port of %s is taken, and by which setting to move',
    async (_, begin, setting) => {
      const text = await said(begin());
      expect(text).toContain(
        `${setting}: cannot listen on 127.0.0.1:${port()}: another program has this port`,
      );
      expect(text).toContain(`such as ${setting}=`);
      expect(text.trim().split('\n')).toHaveLength(1);
    },
  );

  it('hardening:H18 says that an address is not of this machine', async () => {
    const { cert, key } = selfSigned('a');
    const tls = { MACP_TLS_CERT_PATH: file('cert', cert), MACP_TLS_KEY_PATH: file('key', key) };
    const text = await said(serve(['--memory-only', '--http-host', '198.51.100.77'], { ...TOKENS, ...tls }));
    expect(text).toContain('198.51.100.77 is no address of this machine');
  });

  it.each([
    ['missing', () => '/nowhere/tokens.json', 'it does not exist'],
    ['a folder', () => temporaryFolder(), 'it is a folder'],
  ])('hardening:H18 says that a file of tokens is %s', async (_, path, words) => {
    const text = await said(
      serve(['--memory-only'], { MACP_AUTH_TOKENS_FILE: path(), ...INSECURE }),
      SETTING,
    );
    expect(text).toMatch(
      new RegExp(`MACP_AUTH_TOKENS_FILE: names a file that cannot be read \\(.*\\): ${words}`),
    );
  });

  it('hardening:H18 tells a key of another certificate from files that are neither', async () => {
    const [one, other] = [selfSigned('one'), selfSigned('other')];
    const [cert, key, wrong, text] = [
      file('one.crt', one.cert),
      file('one.key', one.key),
      file('other.key', other.key),
      file('text', 'hello'),
    ];
    const start = (certPath: string, keyPath: string) =>
      said(
        serve(['--memory-only'], { ...TOKENS, MACP_TLS_CERT_PATH: certPath, MACP_TLS_KEY_PATH: keyPath }),
        SETTING,
      );
    expect(await start(cert, wrong)).toContain('MACP_TLS_KEY_PATH: is the key of another certificate');
    expect(await start(cert, text)).toContain('MACP_TLS_KEY_PATH: is not a PEM private key');
    expect(await start(text, key)).toContain('MACP_TLS_CERT_PATH: is not a PEM certificate');
  });

  it('hardening:H18 names a wrong setting, what is allowed and an example', async () => {
    const text = await said(
      serve(['--dev', '--memory-only'], { MACP_REQUEST_TIMEOUT_SECS: 'soon' }),
      SETTING,
    );
    expect(text).toMatch(/MACP_REQUEST_TIMEOUT_SECS: must be a whole number from 1 to \d+, such as 30/);
  });

  it('hardening:H18 says who uses the data folder, and how to use another', async () => {
    const folder = temporaryFolder();
    const first = serve(['--dev', '--data-dir', folder]);
    await first.ready();
    expect(await said(serve(['--dev', '--data-dir', folder]))).toMatch(/another server uses .*--data-dir/);
    await first.stop();
    const path = file('data', 'not a folder');
    expect(await said(serve(['--dev', '--data-dir', path]))).toMatch(/is not a folder; .*HANDOVER_DATA_DIR/);
    expect(await said(serve(['--dev', '--data-dir', join(path, 'below')]))).toContain(
      'a part of its path is a file',
    );
  });

  it.skipIf(!canRunAsNobody())(
    'hardening:H18 says that the user may not use the data folder (needs root)',
    async () => {
      const root = mkdtempSync(join(tmpdir(), 'handover-closed-'));
      mkdirSync(join(root, 'mine'), { mode: 0o700 });
      chmodSync(root, 0o711);
      const args = [BINARY, 'serve', '--dev', '--data-dir', join(root, 'mine', 'data')];
      const run = () => execFileSync(process.execPath, args, { ...NOBODY, stdio: 'pipe' });
      expect(run).toThrow(
        /this user has no permission; change its owner or its mode \(EACCES\).*HANDOVER_DATA_DIR/,
      );
      rmSync(root, { recursive: true });
    },
  );
});

describe('hardening:H18 a start that fails', () => {
  it('hardening:H18 closes the store, whatever failed after it was opened', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'pepper.json'), 'not a pepper', { mode: 0o600 });
    chmodSync(folder, 0o700);
    const configuration = testConfiguration({}, { dataDir: folder });
    await expect(startServer(configuration, { log: silentLog })).rejects.toThrow('pepper.json');
    rmSync(join(folder, 'pepper.json'));
    // The lock of the folder is free again.
    const server = await startServer(configuration, { log: silentLog });
    await server.close();
  });

  it('hardening:H18 leaves nothing listening', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const ports = () =>
      process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap' || name === 'TCPSERVERWRAP')
        .length;
    const before = ports();
    await expect(openServer({ env: { MCP_HTTP_PORT: `${port}` } })).rejects.toThrow('MCP_HTTP_PORT');
    await until(() => ports() === before);
    taken.close();
  });
});

describe('hardening:H18 a disk without room', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  it('hardening:H18 is told to the client, to whoever asks for readiness, and to the operator', async () => {
    const server = serve(['--dev', '--data-dir', temporaryFolder()], {
      HANDOVER_DISK_FLOOR_BYTES: String(Number.MAX_SAFE_INTEGER),
    });
    const { grpc, http } = await server.ready();
    closing.push(() => server.stop());
    const client = new GrpcClient(grpc);
    closing.unshift(() => client.close());
    const ack = await client.send(start('the-disk-has-no-room-01'));
    expect(ack.error).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: expect.stringMatching(/nothing was stored.*its log says why.*same message_id/),
    });
    const agent = await connectHttp(new URL('/mcp', http), 'agent');
    closing.unshift(() => agent.close());
    const told = await call(agent, 'registerSession', { sessionKey: 'k', agentFrom: 'agent' });
    expect(told).toMatchObject({ errorCode: 'INTERNAL_ERROR', error: expect.stringContaining('operator') });
    const ready = await fetch(`${http}/ready`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      expect.objectContaining({ reasons: ['nothing can be stored: the disk is nearly full'] }),
    ]);
    await until(() => server.stderr.includes('batch.not_stored'));
    for (const event of ['store.refuses', 'batch.not_stored'])
      expect(server.stderr).toMatch(new RegExp(`HANDOVER_DISK_FLOOR_BYTES\\); free some space.*"${event}"`));
  });

  it('hardening:H18 that is full keeps the server from starting, with a word on what to do', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'handover-full-'));
    const mounted = spawnMount(folder);
    if (!mounted) return rmSync(folder, { recursive: true });
    closing.push(() => {
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true });
    });
    expect(await said(serve(['--dev', '--data-dir', join(folder, 'data')]))).toMatch(
      /the disk is full; free some space.*HANDOVER_DATA_DIR/,
    );
  });

  it('hardening:H18 with room again is ready again', async () => {
    let refusal: string | undefined = 'full';
    const store = { ...createMemoryStore(), refusal: async () => refusal };
    const server = await openServer({ store });
    closing.push(() => server.close());
    expect((await fetch(`${server.httpUrl}/ready`)).status).toBe(503);
    refusal = undefined;
    expect((await fetch(`${server.httpUrl}/ready`)).status).toBe(200);
  });
});

/** The test must be root to become nobody, and nobody must be able to read the command. */
function canRunAsNobody(): boolean {
  try {
    execFileSync(process.execPath, [BINARY, '--version'], { ...NOBODY, stdio: 'ignore' });
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
}

/** A disk of 64 KiB, where the test may make one (root on Linux). */
function spawnMount(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'handover', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
