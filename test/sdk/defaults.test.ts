/** Where the client's defaults are its own (macp-2026:19). */
import { Auth, DEFAULT_RETRY_POLICY, MacpClient } from 'macp-sdk-typescript';
import { expect, it } from 'vitest';
import { verifies } from '../conformance/verifies.js';

const auth = Auth.devAgent('alice');

it(`${verifies('macp-2026:19:tls')}speaks plaintext on this machine, and elsewhere only when told to`, () => {
  new MacpClient({ address: '127.0.0.1:1', auth }).close();
  expect(() => new MacpClient({ address: 'example.com:1', auth, secure: false })).toThrow(/allowInsecure/);
  new MacpClient({ address: 'example.com:1', auth, secure: false, allowInsecure: true }).close();
});

it(`${verifies('macp-2026:19:retry')}tries three times more, for what may pass`, () => {
  expect(DEFAULT_RETRY_POLICY).toMatchObject({ maxRetries: 3, backoffBase: 0.1, backoffMax: 2 });
  expect([...DEFAULT_RETRY_POLICY.retryableCodes]).toEqual(['RATE_LIMITED', 'INTERNAL_ERROR']);
});
