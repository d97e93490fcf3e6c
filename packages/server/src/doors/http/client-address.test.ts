import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { parseCidr } from '../../config/cidr.js';
import { type ClientAddress, clientAddress } from './client-address.js';
import type { HttpEnv } from './http-types.js';

async function seen(
  peer: string | undefined,
  headers: Record<string, string>,
  proxy?: string,
): Promise<ClientAddress> {
  const app = new Hono<HttpEnv>();
  app.get('/', (c) => c.json(clientAddress(c, proxy === undefined ? undefined : parseCidr(proxy))));
  const env = peer === undefined ? {} : { incoming: { socket: { remoteAddress: peer } } };
  return (await (await app.request('/', { headers }, env)).json()) as ClientAddress;
}

describe('the address of a client', () => {
  it('is that of the socket', async () => {
    expect(await seen('203.0.113.9', {})).toEqual({ address: '203.0.113.9', local: false });
    for (const peer of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
      expect(await seen(peer, {})).toEqual({ address: peer, local: true });
    expect(await seen(undefined, {})).toEqual({ local: false });
  });

  it('cannot be claimed by X-Forwarded-For', async () => {
    expect(await seen('203.0.113.9', { 'x-forwarded-for': '127.0.0.1' })).toEqual({
      address: '203.0.113.9',
      local: false,
    });
  });

  it('is not local when somebody has passed the request on', async () => {
    for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])
      expect(await seen('127.0.0.1', { [name]: '10.0.0.1' })).toEqual({ address: '127.0.0.1', local: false });
  });

  it('is what the trusted proxy says, up to what the client may have written', async () => {
    const from = (header?: string) =>
      seen('10.1.1.1', header === undefined ? {} : { 'x-forwarded-for': header }, '10.0.0.0/8');
    expect(await from('198.51.100.7')).toEqual({ address: '198.51.100.7', local: false });
    expect(await from('127.0.0.1, 198.51.100.7, 10.2.2.2')).toEqual({
      address: '198.51.100.7',
      local: false,
    });
    expect(await from('127.0.0.1')).toEqual({ address: '127.0.0.1', local: false });
    expect(await from('nonsense')).toEqual({ local: false });
    expect(await from()).toEqual({ local: false });
    expect(await seen('192.0.2.1', { 'x-forwarded-for': '198.51.100.7' }, '10.0.0.0/8')).toEqual({
      address: '192.0.2.1',
      local: false,
    });
  });
});
