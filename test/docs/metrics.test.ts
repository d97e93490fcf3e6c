/** The table of metrics says what a server renders: the same names, types and meanings, and every label. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createMetrics, ModeEvent, QUOTA_NAMES } from '../../packages/server/src/observe/metrics.js';
import { REFUSED_STATUSES } from '../../packages/server/src/observe/refused-requests.js';
import { verifies } from '../conformance/verifies.js';
import { openServer } from '../kit/server.js';

const page = readFileSync(new URL('../../docs/running/metrics.md', import.meta.url), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, name = '', type = '', labels = '', meaning = '']) => ({
    name: name.replaceAll('`', ''),
    type,
    labels: labels === '' ? [] : labels.replaceAll('`', '').split(', '),
    meaning,
  }));

/** Name, type and meaning of each of ours, as rendered. */
function rendered(text: string) {
  const found = new Map<string, { type: string; meaning: string }>();
  for (const [, name = '', meaning = ''] of text.matchAll(/^# HELP ((?:macp|handover)_\S+) (.*)$/gm))
    found.set(name, { type: '', meaning });
  for (const [, name = '', type = ''] of text.matchAll(/^# TYPE ((?:macp|handover)_\S+) (.*)$/gm))
    found.set(name, { type, meaning: found.get(name)?.meaning ?? '' });
  return [...found].map(([name, { type, meaning }]) => ({ name, type, meaning }));
}

it(`${verifies('macp-2026:18:metrics')}the table of metrics is what a server renders`, async () => {
  const server = await openServer();
  const text = await (await fetch(`${server.httpUrl}/metrics`)).text();
  await server.close(AbortSignal.timeout(1_000));
  const shown = rows.map(({ name, type, meaning }) => ({ name, type, meaning }));
  expect(shown).toEqual(rendered(text));
});

it('with the labels of each', async () => {
  const metrics = createMetrics({ isKnownMode: () => true, process: false });
  for (const event of Object.values(ModeEvent)) metrics.count(event, 'macp.mode.handoff.v1');
  metrics.rateLimited('message');
  metrics.webhook('delivered');
  metrics.chainAsked('1', 'answered', 0.1);
  metrics.watchChains(() => ({
    rpcs: new Map([['1', { isPaused: false, waiting: 0 }]]),
    watched: 0,
    waiting: 0,
  }));
  const text = await metrics.render();
  for (const { name, type, labels } of rows) {
    const series = new RegExp(`^${name}${type === 'histogram' ? '_sum' : ''}(?:\\{(.*)\\})? `, 'm');
    const [, given = ''] = series.exec(text) ?? [];
    expect([name, [...given.matchAll(/(\w+)="/g)].map(([, label]) => label)]).toEqual([name, labels]);
  }
});

it('and every value of the labels for refusals', () => {
  const below = page.slice(page.indexOf('The buckets of'));
  for (const quota of QUOTA_NAMES) expect(below).toContain(`\`${quota}\``);
  const [, statuses = ''] =
    /handover_http_refused_total` has the statuses ([0-9,\sand]+)\./.exec(below) ?? [];
  expect(statuses.match(/[0-9]+/g)?.map(Number)).toEqual([...REFUSED_STATUSES]);
});
