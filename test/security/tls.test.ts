/** One certificate on both doors; with a client CA, no connection without a certificate that it signed. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { connect, type SecureVersion } from 'node:tls';
import { credentials } from '@grpc/grpc-js';
import { envelopeToJson } from '@handover/core';
import { decodeAckResponse, encodeSendRequest } from '@handover/wire';
import { afterEach, describe, expect, it } from 'vitest';
import { nodeCodec as codec } from '../../packages/server/src/platform/node-codec.js';
import { start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { refusedBy } from '../kit/refused.js';
import { selfSigned, type TestCertificate } from '../kit/self-signed.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { TestServer } from '../kit/test-server.js';

const serverCertificate = selfSigned('localhost', { dns: ['localhost'], ip: [127, 0, 0, 1] });
const owner = selfSigned('not the name', { uri: ['owner'] });
const stranger = selfSigned('stranger', { uri: ['owner'] });
const TOKENS = JSON.stringify([{ token: 'token-of-a', sender: 'a' }]);

function files(): Record<string, string> {
  const folder = temporaryFolder();
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  return {
    MACP_TLS_CERT_PATH: file('server.crt', serverCertificate.cert),
    MACP_TLS_KEY_PATH: file('server.key', serverCertificate.key),
    MACP_TLS_CLIENT_CA_PATH: file('clients.crt', owner.cert),
  };
}

describe('TLS', () => {
  let server: TestServer;
  afterEach(() => server.remove());
  const open = async (mtls: boolean) => {
    const { MACP_TLS_CLIENT_CA_PATH: clients = '', ...tls } = files();
    server = await TestServer.start({
      env: { MACP_AUTH_TOKENS_JSON: TOKENS, ...tls, ...(mtls ? { MACP_TLS_CLIENT_CA_PATH: clients } : {}) },
    });
  };
  const buffer = (text: string | undefined) => (text === undefined ? null : Buffer.from(text));
  /** Who the server takes the caller for, asked of both doors: `ok`, or how it was refused. */
  const overGrpc = async (sender: string, bearer?: string, own?: TestCertificate) => {
    const channel = credentials.createSsl(
      Buffer.from(serverCertificate.cert),
      buffer(own?.key),
      buffer(own?.cert),
    );
    const client = new GrpcClient(server.grpc, { channel });
    try {
      const request = encodeSendRequest({ ...start(randomUUID()), sender });
      const ack = decodeAckResponse(await client.raw('send', request, bearer));
      return ack?.ok ? 'ok' : ack?.error?.code;
    } catch (error) {
      return refusedBy(error).status;
    } finally {
      client.close();
    }
  };
  const overHttp = (sender: string, bearer?: string, own?: TestCertificate) =>
    new Promise<string>((resolve) => {
      const call = request(
        `${server.http}/macp/envelope`,
        {
          method: 'POST',
          ca: serverCertificate.cert,
          ...(own && { key: own.key, cert: own.cert }),
          headers: {
            'content-type': 'application/json',
            ...(bearer && { authorization: `Bearer ${bearer}` }),
          },
        },
        (answer) => {
          let text = '';
          answer.on('data', (chunk) => {
            text += chunk;
          });
          answer.on('end', () => resolve(JSON.parse(text).error?.code ?? 'ok'));
        },
      );
      call.on('error', () => resolve('UNAVAILABLE'));
      call.end(JSON.stringify(envelopeToJson({ ...start(randomUUID()), sender }, codec)));
    });

  it('serves both doors, and neither in plaintext', async () => {
    await open(false);
    expect(server.http).toMatch(/^https:/);
    expect([await overGrpc('a', 'token-of-a'), await overHttp('a', 'token-of-a')]).toEqual(['ok', 'ok']);
    expect([await overGrpc('a'), await overHttp('a')]).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
    const plain = new GrpcClient(server.grpc);
    expect(
      refusedBy(await plain.send(start(randomUUID()), 'token-of-a').catch((error: unknown) => error)).status,
    ).toBe('UNAVAILABLE');
    plain.close();
    await expect(fetch(server.http.replace('https:', 'http:'))).rejects.toThrow();
  });

  it('speaks nothing below 1.2, on neither door', async () => {
    await open(false);
    const handshake = (port: number, version: SecureVersion) =>
      new Promise<string>((resolve) => {
        const socket = connect({
          port,
          host: '127.0.0.1',
          ca: serverCertificate.cert,
          ALPNProtocols: ['h2', 'http/1.1'],
          minVersion: version,
          maxVersion: version,
          // A client that still speaks the old versions at all.
          ciphers: 'DEFAULT:@SECLEVEL=0',
        });
        socket.on('secureConnect', () => resolve(socket.getProtocol() ?? ''));
        socket.on('error', () => resolve('refused'));
        socket.on('secureConnect', () => socket.destroy());
      });
    for (const port of [Number(server.grpc.split(':')[1]), Number(new URL(server.http).port)]) {
      expect(await handshake(port, 'TLSv1.1')).toBe('refused');
      expect(await handshake(port, 'TLSv1.2')).toBe('TLSv1.2');
      expect(await handshake(port, 'TLSv1.3')).toBe('TLSv1.3');
    }
  });

  it('with a client CA: the certificate is the identity, a bearer overrides it, nobody else gets in', async () => {
    await open(true);
    for (const ask of [overGrpc, overHttp]) {
      expect(await ask('owner', undefined, owner)).toBe('ok');
      expect(await ask('a', undefined, owner)).toBe('UNAUTHENTICATED');
      expect(await ask('a', 'token-of-a', owner)).toBe('ok');
      expect(await ask('owner', 'token-of-a', owner)).toBe('UNAUTHENTICATED');
      expect(await ask('a', 'token-of-a')).toBe('UNAVAILABLE');
      expect(await ask('owner', undefined, stranger)).toBe('UNAVAILABLE');
    }
  });
});
