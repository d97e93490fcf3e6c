/** What `handover serve` does not start with: exit code 2 for settings and 1 for what it met, nothing on stdout, the setting by name on stderr. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifies } from '../conformance/verifies.js';
import { handover, serve } from '../kit/handover-command.js';
import type { HandoverProcess } from '../kit/handover-process.js';
import { selfSigned } from '../kit/self-signed.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

const TOKENS = { MACP_AUTH_TOKENS_JSON: '[{"token":"t","sender":"s"}]', MACP_ALLOW_INSECURE: '1' };

async function refusal(server: HandoverProcess, code = 2): Promise<string> {
  expect(await server.exited).toBe(code);
  expect(server.stdout).toBe('');
  return server.stderr;
}

describe('serve refuses', () => {
  it('to start without authentication', async () => {
    expect(await refusal(serve([]))).toContain('no authentication configured');
  });

  it('wrong settings, all of them, by name', async () => {
    const said = await refusal(
      serve(['--dev', '--memory-only'], {
        MACP_BIND_ADDR: 'nowhere',
        MACP_MAX_PAYLOAD_BYTES: '0',
        MACP_MESSAGE_LIMIT_PER_MINUTE: 'many',
        MACP_STORAGE_BACKEND: 'rocksdb',
        MACP_POLICIES_DIR: '/does/not/exist',
        MACP_LOG_LEVEL: 'loud',
      }),
    );
    for (const name of [
      'MACP_MAX_PAYLOAD_BYTES',
      'MACP_MESSAGE_LIMIT_PER_MINUTE',
      'MACP_STORAGE_BACKEND',
      'MACP_POLICIES_DIR',
      'MACP_LOG_LEVEL',
    ])
      expect(said).toContain(`\n  ${name}: `);
    expect(said).toContain('5 settings are wrong');
  });

  it.each(['0.0.0.0:0', '[::]:0'])('dev mode on %s, which others can reach', async (address) => {
    const server = handover(['serve', '--dev', '--memory-only', '--bind', address, '--http-port', '0']);
    expect(await refusal(server)).toContain('MACP_BIND_ADDR');
  });

  it('dev mode over HTTP beyond loopback', async () => {
    expect(await refusal(serve(['--dev', '--memory-only', '--http-host', '0.0.0.0']))).toContain(
      'MCP_HTTP_HOST',
    );
  });

  it('to be reached without TLS, whatever the credentials and however insecure it may be', async () => {
    const server = handover(['serve', '--memory-only', '--bind', '0.0.0.0:0', '--http-port', '0'], TOKENS);
    expect(await refusal(server)).toContain('MACP_BIND_ADDR');
  });

  it('plaintext, even on loopback, unless it was asked for', async () => {
    const { MACP_ALLOW_INSECURE: _, ...tokens } = TOKENS;
    expect(await refusal(serve(['--memory-only'], tokens))).toContain('MACP_TLS_CERT_PATH');
  });

  it('dev mode beside real credentials', async () => {
    expect(await refusal(serve(['--dev', '--memory-only'], TOKENS))).toContain('--dev');
  });

  it('dev mode on a folder that real credentials were used with', async () => {
    const folder = temporaryFolder();
    const real = serve(['--data-dir', folder], TOKENS);
    await real.ready();
    await real.stop();
    expect(await refusal(serve(['--dev', '--data-dir', folder]), 1)).toContain('real credentials');
  });

  it('a folder that others can read and that holds something', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'letter'), 'dear');
    chmodSync(folder, 0o755);
    expect(await refusal(serve(['--dev', '--data-dir', folder]), 1)).toContain('chmod 700');
  });

  it(`${verifies('macp-2026:18:single-writer')}a second process on the same data`, async () => {
    const folder = temporaryFolder();
    const first = serve(['--dev', '--data-dir', folder]);
    await first.ready();
    expect(await refusal(serve(['--dev', '--data-dir', folder]), 1)).toContain(
      'another server uses this data folder',
    );
    expect(first.child.exitCode).toBeNull();
    expect(await first.stop()).toBe(0);
  });

  it('a port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.on('listening', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const args = ['serve', '--dev', '--memory-only', '--http-port', '0', '--bind', `127.0.0.1:${port}`];
    expect(await refusal(handover(args), 1)).toContain(`cannot listen on 127.0.0.1:${port}`);
    taken.close();
  });

  it('a policy file that is not a policy, naming setting and file', async () => {
    const folder = join(temporaryFolder(), 'policies');
    mkdirSync(folder);
    writeFileSync(join(folder, 'wrong.json'), '{"policy_id": "policy.x"}');
    const said = await refusal(serve(['--dev', '--memory-only'], { MACP_POLICIES_DIR: folder }), 1);
    expect(said).toContain('MACP_POLICIES_DIR');
    expect(said).toContain('wrong.json');
  });

  it('a certificate without its key, and a key that is another one', async () => {
    const folder = temporaryFolder();
    const [one, other] = [selfSigned('one'), selfSigned('other')];
    const cert = join(folder, 'cert.pem');
    const key = join(folder, 'key.pem');
    writeFileSync(cert, one.cert);
    writeFileSync(key, other.key, { mode: 0o600 });
    expect(await refusal(serve(['--memory-only'], { ...TOKENS, MACP_TLS_CERT_PATH: cert }))).toContain(
      'MACP_TLS_KEY_PATH',
    );
    const mixed = { ...TOKENS, MACP_TLS_CERT_PATH: cert, MACP_TLS_KEY_PATH: key };
    expect(await refusal(serve(['--memory-only'], mixed))).toContain('MACP_TLS');
  });
});
