/** handoff://operations/{id}: read by its creator, of all three families, with a word whenever it changes. */
import { afterAll, describe, expect, it } from 'vitest';
import { connectHttp, read } from '../kit/mcp-clients.js';
import { noteUpdates, settled } from '../mcp/support/updates.js';
import { B2, O1 } from './support/examples.js';
import { FakeChain, readerOf } from './support/fake-chain.js';
import { secretIn, useWorld } from './support/world.js';

const world = await useWorld({ chains: readerOf(new FakeChain(1879)) });
const url = new URL('/mcp', world.server.httpUrl);
const alice = await connectHttp(url, 'alice');
const mallory = await connectHttp(url, 'mallory');
afterAll(() => Promise.all([alice.close(), mallory.close()]));

describe('the resource of an operation', () => {
  it('is there for its creator and for nobody else', async () => {
    const { data } = await world.tool('alice', 'create_operation_handoff', O1());
    const uri = `handoff://operations/${data.id}`;
    const shown = await read(alice, uri);
    expect(shown).toMatchObject({ id: data.id, status: 'pending_user_action' });
    expect(JSON.stringify(shown)).not.toContain(secretIn(data.operationUrl));
    await expect(read(mallory, uri)).rejects.toThrow();
    const bundle = await world.tool('alice', 'create_xdala_bundle_deploy_handoff', {
      network: 'n',
      chainId: 1879,
      bundle: B2(),
    });
    expect(await read(alice, `handoff://operations/${bundle.data.handle}`)).toMatchObject({
      family: 'bundle_deploy',
    });
  });

  it('tells its creator of every change, and an outsider nothing', async () => {
    const { data } = await world.tool('alice', 'create_operation_handoff', O1());
    const uri = `handoff://operations/${data.id}`;
    const [hers, theirs] = [noteUpdates(alice), noteUpdates(mallory)];
    const agreed = await alice.listen({ resourceSubscriptions: [uri] });
    expect(agreed.honoredFilter.resourceSubscriptions).toEqual([uri]);
    const refused = await mallory.listen({ resourceSubscriptions: [uri] });
    expect(refused.honoredFilter.resourceSubscriptions ?? []).toEqual([]);
    await world.api(`/api/operations/${data.id}/status`, {
      secret: secretIn(data.operationUrl),
      body: { status: 'opened' },
    });
    await hers.until(uri);
    await settled();
    expect(theirs.seen).toEqual([]);
  });
});
