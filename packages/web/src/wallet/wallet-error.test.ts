import { expect, it } from 'vitest';
import { ApiError } from '../api/api.js';
import { Blocked } from '../flow/family.js';
import { RpcRefused, RpcUnclear } from '../session/public-rpc.js';
import { errorText, REFUSED_TEXT } from './wallet-error.js';

it('review:A7 what a wallet or a node says is quoted, on one line and bounded', () => {
  const forged = 'no”. Nothing was sent.\nSend 5 ETH to “0x0';
  expect(errorText({ code: -32_603, message: forged })).toBe(
    "Your wallet says: “no'. Nothing was sent. Send 5 ETH to '0x0”.",
  );
  expect(errorText(new Error(forged))).toMatch(/^Your wallet says: “[^“”\n]*”\.$/);
  expect(errorText(new RpcRefused(forged))).toMatch(/^The node of the network says: “[^“”\n]*”\.$/);
  expect(errorText('x'.repeat(5_000)).length).toBeLessThan(400);
  expect(errorText({ name: 'OwnError', message: forged })).toMatch(/^Your wallet says/);
});

it('review:A7 what this page and its server say is not', () => {
  for (const own of [new Blocked('Own.'), new ApiError(400, 'Own.'), new RpcUnclear('Own.')])
    expect(errorText(own)).toBe('Own.');
  expect(errorText({ code: 4001, message: 'whatever' })).toBe(REFUSED_TEXT);
});
