/** The security log tells of a cancel once: cancelling what has ended succeeds, but nothing was cancelled. */
import { expect, it } from 'vitest';
import type { Log } from '../../packages/server/src/observe/log.js';
import { envelope, startPayload } from '../kit/envelopes.js';
import { createWorld } from '../kit/world.js';

it('a session that has ended is not cancelled again', async () => {
  const events: string[] = [];
  const note = (event: string) => void events.push(event);
  const log: Log = { debug: note, info: note, warn: note, error: note };
  const world = createWorld({ log });
  const id = 'cancelled-once-session-0001';
  const start = envelope(id, 'owner', 'SessionStart', startPayload(), { timestampUnixMs: world.clock.now });
  expect(await world.send(start)).toMatchObject({ ok: true });
  for (let i = 0; i < 2; i++)
    expect(await world.services.sessions.control(world.principal('owner'), id, 'cancel', '')).toMatchObject({
      value: { ok: true },
    });
  expect(events.filter((event) => event === 'audit.cancelled')).toHaveLength(1);
});
