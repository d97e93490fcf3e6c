import { expect, it } from 'vitest';
import { readConfiguration } from './configuration.js';
import type { Environment } from './setting-reader.js';

const TOKENS = { MACP_AUTH_TOKENS_JSON: '[{"token":"a-token-of-at-least-24-bytes","sender":"s"}]' };
const taking = (env: Environment, flags: Parameters<typeof readConfiguration>[1] = {}) =>
  readConfiguration({ MACP_ALLOW_INSECURE: '1', ...env }, flags).taking;
const policy = (...given: Parameters<typeof taking>) => taking(...given).takeOver;

it('assistants:2.3 who shares a machine may take from one another, whom credentials keep apart may not', () => {
  expect(policy({}, { forAssistants: true })).toBe('silent');
  expect(policy(TOKENS, { forAssistants: true })).toBe('silent');
  expect(policy({}, { dev: true })).toBe('silent');
  expect(policy({})).toBe('silent');
  expect(policy(TOKENS)).toBe('person');
  expect(taking(TOKENS)).toMatchObject({ apart: true });
  expect(taking(TOKENS, { forAssistants: true })).toMatchObject({ apart: false });
});

it('the operator says otherwise', () => {
  for (const said of ['off', 'person', 'silent']) {
    expect(policy({ ...TOKENS, HANDOVER_TAKEOVER: said })).toBe(said);
    expect(policy({ HANDOVER_TAKEOVER: said }, { forAssistants: true })).toBe(said);
  }
  expect(() => policy({ HANDOVER_TAKEOVER: 'anyone' })).toThrow('must be one of auto, off, person, silent');
  expect(() => policy({ HANDOVER_TAKEOVER_AFTER_SECS: '604801' })).toThrow('from 0 to 604800');
});

it('assistants:2.3 ten minutes unless told; assistants:2.2 over HTTP only where it was opened', () => {
  expect(taking({})).toEqual({ takeOver: 'silent', afterSecs: 600, openParking: false, apart: false });
  for (const secs of [0, 7, 604_800])
    expect(taking({ HANDOVER_TAKEOVER_AFTER_SECS: String(secs) }).afterSecs).toBe(secs);
  expect(() => taking({ HANDOVER_TAKEOVER_AFTER_SECS: '-1' })).toThrow('from 0 to 604800');
  expect(taking({ HANDOVER_OPEN_PARKING: '1' }).openParking).toBe(true);
  expect(taking({ HANDOVER_OPEN_PARKING: '0' }).openParking).toBe(false);
});
