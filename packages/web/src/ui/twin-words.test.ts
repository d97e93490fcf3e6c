import type { Effect } from '@handover/core';
import { expect, it } from 'vitest';
import type { HandoffRecord } from '../model/record.js';
import { twinWords } from './twin-words.js';

const AT = '2026-11-16T15:02:00Z';

function said(effect: Effect, change: object = {}, twin: object = {}): string | undefined {
  const step = { id: 'a', status: 'pending', effect: 'none' };
  const done = effect === 'done' ? { doneAt: AT } : {};
  return twinWords({
    family: 'operation',
    status: 'opened',
    effect: 'none',
    steps: [step],
    twin: { id: 'op_other', createdAt: AT, effect, ...done, ...twin },
    ...change,
  } as unknown as HandoffRecord);
}

it.each([
  ['done', /^Another request for the same, op_other, was paid at .*: signing this one pays again\.$/],
  ['exceeded', /op_other, was paid: signing this one pays again\.$/],
  ['partial', /was paid in part: signing this one pays again\.$/],
  ['unknown', /may have been paid: look in your wallet first\. .* signing this one pays again\.$/],
  ['different', /something else was sent for it: look in your wallet first/],
  ['none', /can still be signed: sign only one of the two\. If both are signed, both are paid\.$/],
] as const)('review:D3 one sentence for another request that is %s', (effect, words) => {
  expect(said(effect)).toMatch(words);
});

it('review:D3 nothing without another request; a part is called so', () => {
  expect(said('none', { twin: undefined })).toBeUndefined();
  expect(said('done', {}, { stepIds: ['a'] })).toMatch(/^Another request for a part of this, op_other, /);
});

it('review:D3 says what has happened where nothing more is signed here', () => {
  const done = { effect: 'done', status: 'completed', steps: [{ id: 'a', status: 'confirmed' }] };
  expect(said('done', done)).toMatch(/and so was this one: both were paid\.$/);
  expect(said('none', done)).toMatch(/this one is paid already, so do not sign that one\.$/);
  const told = { effect: 'unknown', status: 'tx_submitted', steps: [{ id: 'a', status: 'submitted' }] };
  expect(said('none', told)).toMatch(/can still be signed: do not sign that one as well\.$/);
  const late = { effect: 'unknown', late: true, steps: [{ id: 'a', status: 'requested' }] };
  expect(said('done', late)).toMatch(/Refuse a prompt that is still open: signing it pays again\.$/);
});

it('review:D3 speaks of sessions and contracts by what is done with them', () => {
  expect(said('done', { family: 'session_start' })).toMatch(/was started at .* starts it again\.$/);
  expect(said('done', { family: 'bundle_deploy' })).toMatch(/was deployed at .* deploys them again\.$/);
});
