import { describe, expect, it } from 'vitest';
import { verifies } from '../../../../../../test/conformance/verifies.js';
import { createHarness, type Harness } from '../http-harness.test.helper.js';
import { offerMessage, post, SESSION, startMessage } from '../json-messages.test.helper.js';

async function started(options = {}): Promise<Harness> {
  const harness = createHarness(options);
  await post(harness, 'alice', startMessage());
  return harness;
}

const TWO_TENANTS = {
  env: {
    MACP_AUTH_TOKENS_JSON: JSON.stringify([
      { token: 'alice', sender: 'alice' },
      { token: 'bob', sender: 'bob' },
      { token: 'eve', sender: 'alice', tenant: 'other' },
      { token: 'watch', sender: 'watcher', is_observer: true },
    ]),
  },
};

describe('GET /macp/session/{id}', () => {
  it('shows members the metadata', async () => {
    const harness = await started();
    await post(harness, 'alice', offerMessage());
    for (const as of ['alice', 'bob']) {
      const answer = await harness.request(`/macp/session/${SESSION}`, { as });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({
        session_id: SESSION,
        mode: 'macp.mode.handoff.v1',
        state: 'SESSION_STATE_OPEN',
        started_at_unix_ms: harness.clock.now,
        expires_at_unix_ms: harness.clock.now + 60_000,
        mode_version: '1.0.0',
        configuration_version: 'c1',
        policy_version: expect.any(String),
        participants: ['alice', 'bob'],
        participant_activity: [
          { participant_id: 'alice', last_message_at_unix_ms: harness.clock.now, message_count: 1 },
        ],
        initiator: 'alice',
        context_id: '',
        extension_keys: [],
      });
    }
  });

  it('refuses everybody else with a MACPError', async () => {
    const harness = await started(TWO_TENANTS);
    const get = (as: string | undefined, id = SESSION) =>
      harness.request(`/macp/session/${id}`, as === undefined ? {} : { as });
    expect((await get('watch')).status).toBe(200);
    const unknown = await get('alice', 'nobody-knows-this-session-id');
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toMatchObject({
      code: 'SESSION_NOT_FOUND',
      session_id: 'nobody-knows-this-session-id',
      message_id: '',
    });
    expect((await get('eve')).status).toBe(404);
    const nameless = await get(undefined);
    expect(nameless.status).toBe(401);
    expect(nameless.headers.get('www-authenticate')).toBe('Bearer');
    expect(await nameless.json()).toMatchObject({ code: 'UNAUTHENTICATED' });
    const dev = await started();
    const outsider = await dev.request(`/macp/session/${SESSION}`, { as: 'mallory' });
    expect(outsider.status).toBe(403);
    expect(await outsider.text()).not.toContain('bob');
  });

  it('reads ids with escapes, and odd ones as unknown', async () => {
    const harness = await started();
    expect(
      (await harness.request(`/macp/session/${SESSION.replaceAll('-', '%2D')}`, { as: 'bob' })).status,
    ).toBe(200);
    for (const id of ['%ff', '%00', '..%2f..', '__proto__', encodeURIComponent('\n'), 'x'.repeat(5_000)])
      expect((await harness.request(`/macp/session/${id}`, { as: 'bob' })).status).toBe(404);
  });
});

describe('GET /macp/session', () => {
  const id = (index: number) => `0191e7a4-3b1c-7d2e-8f3a-${String(index).padStart(12, '0')}`;

  it('lists one’s own sessions, page by page', async () => {
    const harness = createHarness();
    for (let index = 0; index < 5; index++)
      await post(harness, 'alice', startMessage({ session_id: id(index) }));
    const seen: string[] = [];
    let token = '';
    for (let pages = 0; pages < 3; pages++) {
      const answer = await harness.request(`/macp/session?page_size=2&page_token=${token}`, { as: 'bob' });
      const page = (await answer.json()) as { sessions: { session_id: string }[]; next_page_token: string };
      seen.push(...page.sessions.map(({ session_id }) => session_id));
      token = page.next_page_token;
      expect(token === '').toBe(pages === 2);
    }
    expect(seen).toEqual([0, 1, 2, 3, 4].map(id));
    const all = await (await harness.request('/macp/session', { as: 'alice' })).json();
    expect(all).toMatchObject({ next_page_token: '', sessions: { length: 5 } });
    expect(await (await harness.request('/macp/session', { as: 'mallory' })).json()).toEqual({
      sessions: [],
      next_page_token: '',
    });
  });

  it.each(['page_size=-1', 'page_size=x', 'page_size=1.5', 'page_size=', 'page_token=!', 'page_token=AAAA'])(
    'refuses %s',
    async (query) => {
      const answer = await createHarness().request(`/macp/session?${query}`);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ code: 'INVALID_ENVELOPE' });
    },
  );

  it('asks for credentials', async () => {
    const harness = createHarness(TWO_TENANTS);
    expect((await harness.request('/macp/session')).status).toBe(401);
  });
});

describe('POST /macp/session/{id}/cancel, suspend and resume', () => {
  const control = (harness: Harness, name: string, as: string, body?: unknown) =>
    harness.request(`/macp/session/${SESSION}/${name}`, {
      as,
      method: 'POST',
      ...(body !== undefined && { body }),
    });

  it(`${verifies('decision:http:bodies')}take a reason, or nothing`, async () => {
    const harness = await started();
    const suspended = await control(harness, 'suspend', 'alice', { reason: 'lunch' });
    expect(suspended.status).toBe(200);
    expect(await suspended.json()).toEqual({
      ok: true,
      duplicate: false,
      message_id: '',
      session_id: SESSION,
      accepted_at_unix_ms: harness.clock.now,
      session_state: 'SESSION_STATE_SUSPENDED',
    });
    expect(await (await control(harness, 'resume', 'alice')).json()).toMatchObject({
      session_state: 'SESSION_STATE_OPEN',
    });
    expect(await (await control(harness, 'cancel', 'alice', '')).json()).toMatchObject({
      session_state: 'SESSION_STATE_CANCELLED',
    });
  });

  it('refuse with an Ack and the status of its code', async () => {
    const harness = await started();
    const resumed = await control(harness, 'resume', 'alice');
    expect(resumed.status).toBe(409);
    expect(await resumed.json()).toMatchObject({ ok: false, error: { code: 'SESSION_NOT_OPEN' } });
    const outsider = await control(harness, 'cancel', 'mallory');
    expect(outsider.status).toBe(403);
    expect(await outsider.json()).toMatchObject({
      ok: false,
      session_id: SESSION,
      error: { code: 'FORBIDDEN' },
    });
    const unknown = await harness.request('/macp/session/nobody-knows-this-session-id/cancel', {
      method: 'POST',
    });
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toMatchObject({ ok: false, error: { code: 'SESSION_NOT_FOUND' } });
  });

  it.each([['[]'], ['"x"'], ['{"reason":5}'], ['{"reason":null}'], ['{"reason":"\\ud800"}'], ['{']])(
    'refuse the body %s',
    async (body) => {
      const answer = await control(await started(), 'cancel', 'alice', body);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ ok: false, error: { code: 'INVALID_ENVELOPE' } });
    },
  );

  it('ask for credentials, and cap their body', async () => {
    const harness = createHarness(TWO_TENANTS);
    await post(harness, 'alice', startMessage());
    const nameless = await harness.request(`/macp/session/${SESSION}/cancel`, { method: 'POST' });
    expect(nameless.status).toBe(401);
    expect(nameless.headers.get('www-authenticate')).toBe('Bearer');
    expect(await nameless.json()).toMatchObject({ ok: false, error: { code: 'UNAUTHENTICATED' } });
    expect((await control(harness, 'cancel', 'alice', `"${'x'.repeat(200_000)}"`)).status).toBe(413);
  });
});
