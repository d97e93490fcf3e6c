/** `handover inbox`, for people and for the hooks of assistants. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, newDataFolder } from '../kit/mcp-clients.js';
import { assistant, cleanUp, run } from './support.js';

let folder = '';
const closers: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  folder = newDataFolder();
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close().catch(() => undefined);
  await cleanUp(folder);
});

async function offered(count: number): Promise<readonly unknown[]> {
  const owner = await assistant(folder, { name: 'owner' });
  closers.push(() => owner.close());
  const ids: unknown[] = [];
  for (let n = 0; n < count; n++) {
    await call(owner, 'registerSession', { sessionKey: `work-${n}`, agentFrom: 'owner' });
    const requested = await call(owner, 'requestHandoff', {
      sessionKey: `work-${n}`,
      targetAgent: 'target',
      requestType: 'full_handoff',
      requestData: { instructions: 'take\u001b[31m over' },
    });
    ids.push(requested.handoffId);
  }
  return ids;
}

const inbox = (...args: string[]) => run(['inbox', '--data-dir', folder, ...args]);

describe('with --hook', () => {
  it('is silent, quick and successful without a server, without a name and without an offer', async () => {
    expect(await inbox('--hook', '--agent', 'target')).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(await inbox('--hook')).toMatchObject({ code: 0, stdout: '', stderr: '' });
    await offered(1);
    expect(await inbox('--hook', '--agent', 'nobody')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('says in a few lines what waits', async () => {
    const [first] = await offered(7);
    const { code, stdout, ms } = await inbox('--hook', '--agent', 'target');
    expect(code).toBe(0);
    expect(stdout).toContain('7 handoffs wait');
    expect(stdout.split('\n').length).toBeLessThanOrEqual(10);
    expect(stdout).toContain('and 2 more');
    expect(stdout).not.toContain('\u001b');
    // Two cores are shared by all tests; alone it takes a fifth of this.
    expect(ms).toBeLessThan(3_000);
    const env = { HANDOVER_AGENT_ID: 'target' };
    const json = await run(['inbox', '--hook', '--json', '--data-dir', folder], { env });
    const ids = (JSON.parse(json.stdout) as { handoffs: { handoffId: string }[] }).handoffs;
    expect(ids.map(({ handoffId }) => handoffId)).toContain(first);
  });
});

describe('for people', () => {
  it('shows what waits, until it is answered', async () => {
    const [handoffId] = await offered(1);
    const shown = await inbox('--agent', 'target');
    expect(shown.stdout).toContain(String(handoffId));
    expect(shown.stdout).toContain('work-0 (full_handoff)');
    const target = await assistant(folder, { name: 'x', args: ['--agent', 'target'] });
    closers.push(() => target.close());
    await call(target, 'declineHandoff', { handoffId });
    expect(await inbox('--agent', 'target')).toMatchObject({ code: 0, stdout: 'Nothing waits.\n' });
  });

  it('says what is missing', async () => {
    expect((await inbox('--agent', 'target')).stderr).toContain('no server runs');
    const nameless = await inbox();
    expect(nameless).toMatchObject({ code: 2, stdout: '' });
    expect(nameless.stderr).toContain('--agent');
  });
});
