/** The guide's operation is made as it says. To write its answer again: UPDATE_TRANSCRIPT=1 npx vitest run test/operations/guide.test.ts */
import { readFileSync, writeFileSync } from 'node:fs';
import { Effect, ReasonCode } from '@handover/core';
import { expect, it } from 'vitest';
import { operationSettings } from '../../packages/server/src/config/settings/operations.js';
import { otherNames } from '../../packages/server/src/config/settings/other-names.js';
import { useWorld } from './support/world.js';

const world = await useWorld();
const file = new URL('../../docs/guide/operations.md', import.meta.url);
const guide = readFileSync(file, 'utf8');
const [, example = ''] = /<!-- example: operation -->\n\n```json\n(.*?)\n```/s.exec(guide) ?? [];
const ANSWER = /(<!-- answer: operation -->\n\n```json\n)(.*?)(\n?```)/s;

it('the example of an operation gives what the guide shows', async () => {
  world.clock.now = Date.parse('2026-11-16T12:00:00.000Z');
  const { data, isError } = await world.tool('alice', 'create_operation_handoff', JSON.parse(example));
  expect(isError).toBeFalsy();
  const told = JSON.stringify(data, null, 2)
    .replaceAll(data.id, 'op_5f0c7a9e2b6d48c1a3e4f5061728394a')
    .replace(/"http[^"]*\/operations\/([^"#]*)#k=[^"]*"/, '"https://handover.example/operations/$1#k=…"');
  if (process.env.UPDATE_TRANSCRIPT === '1')
    writeFileSync(
      file,
      guide.replace(ANSWER, (_, before, __, after) => `${before}${told}\n${after.trimStart()}`),
    );
  expect(ANSWER.exec(readFileSync(file, 'utf8'))?.[2]).toBe(told);
});

it('the same call again gives another link, as the guide says', async () => {
  const again = await world.tool('alice', 'create_operation_handoff', JSON.parse(example));
  expect(again.data).toMatchObject({
    replayed: true,
    digest: JSON.parse(ANSWER.exec(guide)?.[2] ?? '{}').digest,
  });
  expect(again.data.operationUrl).toContain('#k=');
});

it('the example that sends coins is taken as it stands', async () => {
  const [, coins = ''] = /<!-- example: coins -->\n\n```json\n(.*?)\n```/s.exec(guide) ?? [];
  const { data } = await world.tool('alice', 'create_operation_handoff', JSON.parse(coins));
  const status = await world.tool('alice', 'get_operation_status', { operationId: data.id });
  expect(status.data.steps[0].call).toMatchObject({ kind: 'transfer', value: String(10n ** 16n) });
});

it('the guide says of every effect what an agent may do, in words that exist', () => {
  const [, table = ''] = /### What may I do now\?\n(.*?)\n## /s.exec(guide) ?? [];
  for (const effect of Object.values(Effect)) expect(table).toContain(`\`${effect}\``);
  const codes: readonly string[] = Object.values(ReasonCode);
  const named = [...table.matchAll(/`([A-Z_]{4,})`/g)].map(([, code = '']) => code);
  expect(named.filter((code) => !codes.includes(code))).toEqual([]);
});

it('review:H2 the guide keeps a declined request apart from one that may be made again', () => {
  const [, table = ''] = /### What may I do now\?\n(.*?)\n## /s.exec(guide) ?? [];
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  const row = (...words: readonly string[]) =>
    rows.find((line) => words.every((word) => (line.split(' | ')[0] ?? '').includes(`\`${word}\``))) ?? '';
  expect(row('none', 'DECLINED')).toMatch(/ask the person/);
  expect(row('none', 'DECLINED')).not.toMatch(/EXPIRED|create it again/);
  expect(row('none', 'EXPIRED')).toMatch(/create it again/);
  expect(row('none', 'NOT_SIGNED')).toContain('not over');
  expect(row('done', 'SENT_AFTER_CANCEL')).toMatch(/tell the person/);
  expect(row('exceeded', 'PAID_TWICE')).toMatch(/stop/);
});

it('operators find every setting of operations and chains', () => {
  const [, section = ''] = /## For operators\n(.*?)\n## /s.exec(guide) ?? [];
  const ofChains = otherNames
    .map(({ name }) => name)
    .filter((name) => /RPC_URL|CONFIRM|<chainId>/.test(name));
  const names = [...operationSettings.map(({ name }) => name), ...ofChains];
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});
