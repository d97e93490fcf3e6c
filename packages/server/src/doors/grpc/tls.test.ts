import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type SecureVersion } from 'node:tls';
import { credentials, status } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { GrpcClient } from '../../../../../test/kit/grpc-client.js';
import { refusal } from '../../../../../test/kit/refused.js';
import { selfSigned, type TestCertificate } from '../../../../../test/kit/self-signed.js';
import { newSession, sessionStart } from './testing/envelopes.test.helper.js';
import { startWorld, type World } from './testing/world.test.helper.js';

let folder: string;
let server: TestCertificate;
let alice: TestCertificate;
let twoNames: TestCertificate;
let stranger: TestCertificate;
let world: World | undefined;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'handover-tls-'));
  server = selfSigned('localhost', { dns: ['localhost'], ip: [127, 0, 0, 1] });
  alice = selfSigned('ignored', { uri: ['agent:alice'] });
  twoNames = selfSigned('also-ignored', { uri: ['agent:alice', 'agent:bob'] });
  stranger = selfSigned('stranger');
  writeFileSync(join(folder, 'server.crt'), server.cert);
  writeFileSync(join(folder, 'server.key'), server.key, { mode: 0o600 });
  writeFileSync(join(folder, 'clients.crt'), alice.cert + twoNames.cert);
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => world?.close());

const open = async (mtls: boolean) => {
  world = await startWorld({
    env: {
      MACP_TLS_CERT_PATH: join(folder, 'server.crt'),
      MACP_TLS_KEY_PATH: join(folder, 'server.key'),
      ...(mtls && { MACP_TLS_CLIENT_CA_PATH: join(folder, 'clients.crt') }),
    },
  });
  return world.port;
};
const client = (port: number, certificate?: TestCertificate, bearer: string | null = null) =>
  new GrpcClient(`127.0.0.1:${port}`, {
    bearer,
    channel: credentials.createSsl(
      Buffer.from(server.cert),
      certificate ? Buffer.from(certificate.key) : null,
      certificate ? Buffer.from(certificate.cert) : null,
    ),
  });

describe('TLS', () => {
  it('serves calls over TLS, and none in plaintext', async () => {
    const port = await open(false);
    const secure = client(port, undefined, 'alice-token');
    expect((await secure.send(sessionStart(newSession()))).ok).toBe(true);
    secure.close();
    const plain = new GrpcClient(`127.0.0.1:${port}`, { bearer: 'alice-token' });
    expect((await refusal(plain.send(sessionStart(newSession())))).code).toBe(status.UNAVAILABLE);
    plain.close();
  });

  it('speaks no version below 1.2', async () => {
    const port = await open(false);
    const handshake = (version: SecureVersion) =>
      new Promise<string>((resolve) => {
        const socket = connect({
          port,
          host: '127.0.0.1',
          ca: server.cert,
          servername: 'localhost',
          ALPNProtocols: ['h2'],
          minVersion: version,
          maxVersion: version,
          // Without this, the client itself would refuse the old versions.
          ciphers: 'DEFAULT:@SECLEVEL=0',
        });
        socket.on('secureConnect', () => {
          resolve(socket.getProtocol() ?? '');
          socket.destroy();
        });
        socket.on('error', () => resolve('refused'));
      });
    expect(await handshake('TLSv1.2')).toBe('TLSv1.2');
    expect(await handshake('TLSv1.3')).toBe('TLSv1.3');
    expect(await handshake('TLSv1.1')).toBe('refused');
  });
});

describe('mTLS', () => {
  it('takes the caller from the certificate, and from a token when there is one', async () => {
    const port = await open(true);
    const id = newSession();
    const byName = client(port, alice);
    expect((await byName.send(sessionStart(id, ['agent:alice', 'bob']))).ok).toBe(true);
    const { metadata } = await byName.call('getSession', { sessionId: id });
    expect(metadata?.initiator).toBe('agent:alice');
    const stream = byName.stream().subscribe(id);
    expect(await stream.ids(1)).toEqual(['start']);
    stream.cancel();
    byName.close();

    const byToken = client(port, alice, 'bob-token');
    expect((await byToken.call('getSession', { sessionId: id })).metadata?.sessionId).toBe(id);
    byToken.close();
    const wrongToken = client(port, alice, 'wrong');
    const ack = await wrongToken.send(sessionStart(newSession()));
    expect(ack.error?.code).toBe('UNAUTHENTICATED');
    wrongToken.close();
  });

  it('refuses a certificate from which it cannot tell who it is', async () => {
    const port = await open(true);
    const ambiguous = client(port, twoNames);
    expect((await ambiguous.send(sessionStart(newSession()))).error?.code).toBe('UNAUTHENTICATED');
    ambiguous.close();
  });

  it('lets nobody in without a certificate that it trusts', async () => {
    const port = await open(true);
    for (const outsider of [client(port), client(port, stranger, 'alice-token')]) {
      const { code } = await refusal(outsider.call('listModes', {}));
      expect(code).toBe(status.UNAVAILABLE);
      outsider.close();
    }
  });
});
