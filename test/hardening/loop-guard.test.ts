/** A stretch that holds the loop of a real server is counted and logged, with the pattern of the last route. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { openServer } from '../kit/server.js';

describe('hardening:H1 the loop guard of a server', () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const server of open.splice(0)) await server.close();
  });

  it('counts what holds the loop and names the route, never an id', async () => {
    const lines: { readonly event: string; readonly fields: Readonly<Record<string, unknown>> }[] = [];
    const warn = (event: string, fields = {}) => void lines.push({ event, fields });
    const server = await openServer({ log: { debug() {}, info() {}, error() {}, warn } });
    open.push(server);
    const ask = () =>
      fetch(`${server.httpUrl}/macp/session/private-name`, { headers: { authorization: 'Bearer a' } });
    await ask();
    // On a busy machine a request may have held the loop just before, and there is one line a second.
    const ours = () => lines.find(({ event, fields }) => event === 'loop.held' && Number(fields.ms) >= 150);
    for (let tries = 0; tries < 5 && !ours(); tries++) {
      await pause(1_100);
      await ask();
      hold(200);
      await pause(50);
    }
    const held = ours();
    expect(held?.fields.lastRoute).toBe('http GET /macp/session/:id');
    expect(JSON.stringify(lines)).not.toContain('private-name');
    const metrics = await (await fetch(`${server.httpUrl}/metrics`)).text();
    expect(metrics).toMatch(/^handover_loop_held_total [1-9]/m);
    expect(metrics).toMatch(
      /^handover_loop_held_seconds_total 0\.[1-9]|^handover_loop_held_seconds_total [1-9]/m,
    );
  });
});

function hold(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
