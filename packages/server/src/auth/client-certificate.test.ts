import type { AddressInfo } from 'node:net';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { selfSigned, type TestCertificate } from '../../../../test/kit/self-signed.js';
import { readClientCertificate, senderOf } from './client-certificate.js';

const sender = (peer: Parameters<typeof readClientCertificate>[0]) => {
  const certificate = readClientCertificate(peer);
  if (certificate === undefined) return 'not understood';
  const result = senderOf(certificate);
  return result.ok ? result.name : `refused: ${result.message}`;
};

describe('the name in a client certificate', () => {
  it.each([
    [
      { subjectaltname: 'URI:spiffe://acme/agent, DNS:a.test, DNS:b.test', subject: { CN: 'cn' } },
      'spiffe://acme/agent',
    ],
    [{ subjectaltname: 'DNS:a.test, IP Address:127.0.0.1', subject: { CN: 'cn' } }, 'a.test'],
    [{ subject: { CN: 'cn' } }, 'cn'],
    [{ subjectaltname: 'IP Address:127.0.0.1', subject: { CN: 'cn' } }, 'cn'],
    [{ subjectaltname: 'URI:"spiffe://acme/a, DNS:evil"' }, 'spiffe://acme/a, DNS:evil'],
  ])('%j', (peer, name) => {
    expect(sender(peer)).toBe(name);
  });

  it.each([
    [{ subjectaltname: 'URI:a:1, URI:b:2', subject: { CN: 'cn' } }, 'more than one'],
    [{ subjectaltname: 'DNS:a, DNS:b' }, 'more than one'],
    [{}, 'no name'],
    [{ subject: { CN: '' } }, 'no name'],
    [{ subject: { CN: ['a', 'b'] } }, 'no name'],
    [{ subject: { CN: 'x'.repeat(257) } }, 'must be'],
    [{ subjectaltname: 'DNS:"a' }, 'not understood'],
    [{ subjectaltname: 'DNS:"a"b, DNS:c' }, 'not understood'],
    [{ subjectaltname: 'DNS:a, nonsense' }, 'not understood'],
  ])('refuses %j', (peer, reason) => {
    expect(sender(peer)).toContain(reason);
  });
});

describe('over a real TLS connection', () => {
  const own = selfSigned('localhost', { ip: [127, 0, 0, 1] });

  async function senderSeenFor(client: TestCertificate): Promise<string> {
    const options = { ...own, ca: client.cert, requestCert: true, rejectUnauthorized: true };
    const server = createServer(options);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const accepted = new Promise<TLSSocket>((resolve) => server.once('secureConnection', resolve));
    const { port } = server.address() as AddressInfo;
    const socket = connect({ host: '127.0.0.1', port, ca: own.cert, ...client });
    const peer = (await accepted).getPeerCertificate();
    socket.destroy();
    server.close();
    return sender(peer as Parameters<typeof readClientCertificate>[0]);
  }

  it('reads the names as Node gives them', async () => {
    const uri = ['spiffe://acme/agent/1'];
    expect(await senderSeenFor(selfSigned('cn', { uri, dns: ['a.test', 'b.test'] }))).toBe(
      'spiffe://acme/agent/1',
    );
    expect(await senderSeenFor(selfSigned('cn', { dns: ['a.test'] }))).toBe('a.test');
    expect(await senderSeenFor(selfSigned('only a name'))).toBe('only a name');
    expect(await senderSeenFor(selfSigned('cn', { dns: ['a.test', 'b.test'] }))).toContain('more than one');
  });

  it('cannot be led to see a name that is not there', async () => {
    const trick = 'spiffe://acme/a, URI:spiffe://acme/admin';
    expect(await senderSeenFor(selfSigned('cn', { uri: [trick] }))).toBe(trick);
    const quoted = 'x", URI:spiffe://acme/admin, DNS:"y';
    expect(await senderSeenFor(selfSigned('cn', { uri: [quoted] }))).toBe(quoted);
  });
});
