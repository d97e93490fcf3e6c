/** TLS and client certificates, with certificates made on the spot. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Auth, HandoffSession, MacpClient, type MacpClientOptions } from 'macp-sdk-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSigned } from '../kit/self-signed.js';
import { type ServerProcess, startServerProcess } from '../kit/server-process.js';

const runtime = selfSigned('localhost', { dns: ['localhost'], ip: [127, 0, 0, 1] });
const alice = selfSigned('alice', { uri: ['alice'] });
const folder = mkdtempSync(join(tmpdir(), 'sdk-tls-'));
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text, { mode: 0o600 });
  return join(folder, name);
};

describe('TLS', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    const tokens = [{ token: 'secret-a', sender: 'alice' }];
    server = await startServerProcess({
      args: [],
      env: {
        MACP_TLS_CERT_PATH: file('cert.pem', runtime.cert),
        MACP_TLS_KEY_PATH: file('key.pem', runtime.key),
        MACP_TLS_CLIENT_CA_PATH: file('ca.pem', alice.cert),
        MACP_AUTH_TOKENS_JSON: JSON.stringify(tokens),
      },
    });
  });
  afterAll(async () => {
    await server.stop('SIGTERM');
    rmSync(folder, { recursive: true });
  });

  const rootCertificates = Buffer.from(runtime.cert);
  const clientCertificate = { certificate: Buffer.from(alice.cert), key: Buffer.from(alice.key) };

  async function start(options: Partial<MacpClientOptions>): Promise<string> {
    const client = new MacpClient({ address: server.grpc, ...options });
    try {
      const session = new HandoffSession(client, { retry: false });
      await session.start({ intent: 'x', participants: ['bob'], ttlMs: 60_000 });
      return (await session.metadata()).initiator;
    } finally {
      client.close();
    }
  }

  it('connects to a runtime whose certificate it was given, as whom the client certificate says', async () => {
    expect(await start({ rootCertificates, clientCertificate })).toBe('alice');
  });

  it('lets a token speak over the certificate', async () => {
    const auth = Auth.bearer('secret-a', { expectedSender: 'alice' });
    expect(await start({ rootCertificates, clientCertificate, auth })).toBe('alice');
  });

  it('does not connect to a certificate that nobody vouches for', async () => {
    await expect(start({ secure: true, clientCertificate })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});
