/**
 * Session starts: S16, S17 and R1 of docs/spec/operations.md 10.2 over the tools, and the way from the agent to the
 * chain.
 */
import { describe, expect, it } from 'vitest';
import { until } from '../kit/until.js';
import { B1, changed, R1, S1 } from './support/examples.js';
import { FakeChain, readerOf } from './support/fake-chain.js';
import { openWorld, secretIn, useWorld, type World } from './support/world.js';

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is compared by the tests, not by the compiler
type Loose = any;
const XRC729 = '0x1111111111111111111111111111111111111111';
const OWNER = '0x2222222222222222222222222222222222222222';
const RULE = (n: number) => `0x${String(n).repeat(40)}`;

const chain = new FakeChain(1879);
const items = B1().bundles[0].items;
const structure = items[0].structure;
for (const [i, item] of items.slice(1).entries()) {
  const address = RULE(i + 5);
  const { payload, rules, onValid, onInvalid, apiCalls } = item;
  chain.contracts.set(address, {
    owner: OWNER,
    rule: JSON.stringify({ payload, apiCalls, rules, onValid, onInvalid }),
  });
  for (const step of Object.values(structure) as Loose[]) if (step.rule === item.address) step.rule = address;
}
const ostc = JSON.stringify({ id: 'invoice_flow', structure });
chain.contracts.set(XRC729, {
  owner: OWNER,
  ostc: { invoice_flow: ostc },
  executors: [`0x${'9'.repeat(40)}`],
});

const world = await useWorld({ chains: readerOf(chain) });
const direct = (over: object = {}) => {
  const { handle: _handle, ...request } = S1();
  return { source: 'direct', network: 'testnet', request, ...over };
};

async function start(args: object, on: World = world) {
  const { data, isError } = await on.tool('alice', 'create_xdala_session_start_handoff', args);
  if (isError) throw new Error(JSON.stringify(data));
  const secret = secretIn(data.xdalaUrl);
  const path = `/api/session-start/${data.handle}`;
  return {
    data,
    handle: data.handle as string,
    secret,
    path,
    get: () => on.api(path, { secret }),
    progress: (body: object) => on.api(`${path}/progress`, { secret, body }),
    result: (body: object) => on.api(`${path}/result`, { secret, body }),
  };
}
const refusal = async (args: object) =>
  (await world.tool('alice', 'create_xdala_session_start_handoff', args)).data;

describe('creating a session start', () => {
  it('S16: another chain than the RPC’s is named, both are', async () => {
    const runtime = { source: 'runtime', network: 'testnet', orchestration: XRC729, ostcId: 'invoice_flow' };
    const { error, errorCode } = await refusal({ ...runtime, chainId: 1 });
    expect(errorCode).toBe('VALIDATION_ERROR');
    expect(error).toMatch(/\b1\b.*\b1879\b/);
  });

  it('review:H4 a whole request for another chain than the RPC’s needs none, and says that nothing was read', async () => {
    const { data } = await start(direct({ chainId: 1 }));
    expect(data).toMatchObject({ chainId: 1, watched: false });
    expect(data.validation.warnings.map(({ code }: Loose) => code)).toEqual(['CHAIN_NOT_READ']);
  });

  it('S17: a handle is the server’s to give', async () => {
    expect((await refusal(direct({ request: S1() }))).error).toContain('handle must be omitted');
  });

  it('an invalid request is refused with codes, and nothing is stored', async () => {
    const before = await world.store.position();
    const request = changed(direct().request as Loose, (r) => delete r.sessions[0].stepId);
    expect((await refusal(direct({ request }))).details.errors).toMatchObject([
      { code: 'STEP_ID_INVALID', path: 'sessions.0.stepId' },
    ]);
    expect(await world.store.position()).toBe(before);
  });

  it('from a runtime: entry step, hash, required fields and authority come from the chain', async () => {
    const runtime = {
      source: 'runtime',
      network: 'testnet',
      orchestration: XRC729,
      ostcId: 'invoice_flow',
      expectedSigner: OWNER,
    };
    const { data } = await start({ ...runtime, payload: { InvoiceId: 'INV-7' } });
    expect(data.request.sessions[0]).toMatchObject({
      stepId: 'Intake',
      ostcHash: `0x${'ab'.repeat(32)}`,
      maxTotalGas: 0,
    });
    expect(data.request.chain).toMatchObject({ requiredChainIdHex: '0x757', requiredChainIdDec: '1879' });
    expect(data.validation.requiredPayload.map(({ field }: Loose) => field)).toEqual(['InvoiceId', 'Amount']);
    expect(data.validation.missingPayload.map(({ field }: Loose) => field)).toEqual(['Amount']);
    expect(data.validation.warnings.map(({ code }: Loose) => code)).toEqual(['PAYLOAD_FIELDS_MISSING']);
    expect(data.authority).toMatchObject({ authorityStatus: 'owner_verified', canStart: true });
    expect(data.sessionOwnership).toMatchObject({ status: 'not_final', xrc729ContractOwner: OWNER });
    expect(data.graph.mermaid).toContain('Requires: Amount, InvoiceId');
    const executor = await start({ ...runtime, expectedSigner: `0x${'9'.repeat(40)}` });
    expect(executor.data.authority.authorityStatus).toBe('executor_verified');
    const nobody = await start({ ...runtime, expectedSigner: `0x${'8'.repeat(40)}` });
    expect(nobody.data.authority).toMatchObject({
      authorityStatus: 'signer_not_authorized',
      canStart: false,
    });
  });

  it('from a runtime that cannot be read: refused, not stored', async () => {
    const args = { source: 'runtime', network: 'testnet', orchestration: RULE(4), ostcId: 'x' };
    expect((await refusal(args)).details.errors[0].code).toBe('RUNTIME_STRUCTURE_UNAVAILABLE');
    expect((await refusal({ ...args, orchestration: 'x' })).details.errors[0].code).toBe(
      'ORCHESTRATION_INVALID',
    );
  });

  it('reads contracts for agents', async () => {
    const named = { xrc729Address: XRC729, ostcId: 'invoice_flow' };
    expect((await world.tool('bob', 'read_xrc729_ostc_json', named)).data.json).toBe(ostc);
    expect(
      JSON.parse((await world.tool('bob', 'read_xrc137_rule_json', { xrc137Address: RULE(5) })).data.json),
    ).toHaveProperty('payload');
    expect((await world.tool('bob', 'get_xrc729_authority', { orchestration: XRC729 })).data).toMatchObject({
      owner: OWNER,
      authorityStatus: 'resolved',
    });
    const { data } = await world.tool('bob', 'resolve_xrc729_process_graph', named);
    expect(data.entrySteps).toEqual(['Intake']);
    expect(data.steps[0].requiredPayload.map(({ name }: Loose) => name)).toEqual(['InvoiceId', 'Amount']);
    expect(data.steps[0].optionalPayload).toEqual([{ name: 'Currency', type: 'string', default: 'EUR' }]);
    const drawn = await world.tool('bob', 'get_xdala_process_mermaid', { source: 'runtime', ...named });
    expect(drawn.data).toMatchObject({ sourceTruth: 'runtime', warnings: [] });
    const unreadable = await world.tool('bob', 'get_xdala_process_mermaid', {
      source: 'runtime',
      ...named,
      ostcId: 'no',
    });
    expect(unreadable.data).toMatchObject({
      nodes: [],
      mermaid: expect.stringContaining('RUNTIME_UNAVAILABLE'),
    });
  });

  it('validators answer, also about what is invalid', async () => {
    const { isError, data } = await world.tool('bob', 'validate_xgr_session_start_handoff', {
      request: { ...S1(), entryStepId: 'x' },
    });
    expect([isError, data.valid, data.errors[0].code]).toEqual([undefined, false, 'ADDITIONAL_PROPERTY']);
    expect((await world.tool('bob', 'validate_xgr_multibundle', { bundle: B1() })).data.valid).toBe(true);
    expect((await world.tool('bob', 'get_xgr_multibundle_schema')).data.title).toBe('xgr-multi-bundle@1');
  });
});

describe('the result of a session start', () => {
  it('R1: taken once, again the same, never another; completed when the node knows the session', async () => {
    const made = await start(direct());
    await made.progress({ index: 0, stepStatus: 'requested', account: OWNER });
    const posted = await made.result(R1(made.handle));
    expect([posted.status, posted.json.status]).toEqual([200, 'pending_import']);
    await until(made.get, ({ json }) => json.verification === 'pending');
    const other = changed(R1(made.handle), (r) => Object.assign(r.results[0], { sessionId: '18' }));
    expect((await made.result(other)).status).toBe(409);
    chain.alive.add(`${OWNER}/17`);
    const { json } = await until(made.get, (answer) => answer.json.status === 'completed');
    expect(json).toMatchObject({
      verification: 'matched',
      sessionOwnership: { status: 'actual_recorded', actualSessionOwners: [OWNER] },
    });
    expect((await made.result(R1(made.handle))).status).toBe(200);
    const { data } = await world.tool('alice', 'get_xdala_session_start_result', { handle: made.handle });
    expect(data.resultSummary).toMatchObject({
      status: 'completed',
      total: 1,
      ok: 1,
      sessionIds: ['17'],
      evidenceReady: true,
    });
    expect(data.receipt.outcome).toBe('completed');
  });

  it('one that is about another request is a conflict', async () => {
    const made = await start(direct());
    const edit = (change: (r: Loose) => void) =>
      made.result(changed(R1(made.handle), (r) => change(r.originalRequest.sessions[0])));
    expect((await edit((s) => Object.assign(s, { stepId: 'Approve' }))).status).toBe(409);
    expect((await edit((s) => Object.assign(s, { orchestration: RULE(4) }))).status).toBe(409);
    expect((await edit((s) => Object.assign(s.payload, { Amount: '9' }))).status).toBe(409);
    expect((await made.result({ ...R1(made.handle), extra: 1 })).status).toBe(400);
    expect(
      (await edit((s) => Object.assign(s, { orchestration: XRC729.toUpperCase().replace('0X', '0x') })))
        .status,
    ).toBe(200);
  });

  it('another owner than the expected signer is a mismatch', async () => {
    const made = await start(direct({ expectedSigner: `0x${'7'.repeat(40)}` }));
    await made.result(R1(made.handle));
    const { json } = await until(made.get, (answer) => answer.json.verification === 'mismatched');
    expect(json.status).toBe('pending_import');
  });

  it('after a cancel 409, after the time 410; /status does not exist', async () => {
    const timed = await openWorld({ chains: readerOf(chain) });
    const cancelled = await start(direct(), timed);
    expect(
      (await timed.tool('alice', 'cancel_xdala_session_start_handoff', { handle: cancelled.handle })).data
        .status,
    ).toBe('cancelled');
    // What has started is taken, whatever was wanted.
    const told = await cancelled.result(R1(cancelled.handle));
    expect([told.status, told.json.status, told.json.effect]).toEqual([200, 'pending_import', 'unknown']);
    const late = await start(direct(), timed);
    expect((await timed.api(`${late.path}/status`, { secret: late.secret, body: {} })).status).toBe(404);
    timed.clock.now += 3_600_001;
    expect((await late.get()).status).toBe(410);
    const failed = changed(R1(late.handle), (r) => {
      r.status = 'failed';
      r.results = [{ ok: false, status: 'failed', stage: 'start', error: 'refused' }];
    });
    expect((await late.result(failed)).status).toBe(410);
    expect(
      (await timed.tool('alice', 'get_xdala_session_start_handoff', { handle: late.handle })).data,
    ).not.toHaveProperty('request');
    await timed.close();
  });

  it('a person can decline until a session was started', async () => {
    const declined = (made: { handle: string }) =>
      changed(R1(made.handle), (r) => {
        r.status = 'cancelled';
        r.results = [{ ok: false, status: 'cancelled', stage: 'cancelled', error: 'declined' }];
      });
    const made = await start(direct());
    expect((await made.result(declined(made))).json.status).toBe('cancelled');
    const begun = await start(direct());
    await begun.progress({ index: 0, stepStatus: 'requested' });
    await begun.progress({ index: 0, stepStatus: 'started', sessionId: '5', owner: OWNER });
    expect((await begun.result(declined(begun))).status).toBe(409);
  });

  it('progress makes a queue safe against reloads and second tabs', async () => {
    const { request } = direct() as Loose;
    request.mode = 'queue';
    request.sessions.push(structuredClone(request.sessions[0]));
    const made = await start(direct({ request }));
    const requested = { index: 0, stepStatus: 'requested', account: OWNER };
    expect((await made.progress({ ...requested, index: 1 })).status).toBe(409);
    const both = await Promise.all([made.progress(requested), made.progress(requested)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(
      (await made.progress({ index: 0, stepStatus: 'started', sessionId: '40', owner: OWNER })).status,
    ).toBe(200);
    expect(
      (await made.progress({ index: 0, stepStatus: 'started', sessionId: '41', owner: OWNER })).status,
    ).toBe(200);
    expect((await made.progress(requested)).status).toBe(409);
    expect((await made.progress({ ...requested, index: 1 })).status).toBe(200);
    expect((await made.progress({ index: 1, stepStatus: 'failed', error: 'no' })).status).toBe(200);
    expect((await made.get()).json.steps).toMatchObject([
      { status: 'submitted', sessionId: '41', owner: OWNER },
      { status: 'failed', error: 'no' },
    ]);
    expect((await made.progress({ index: 0, stepStatus: 'confirmed' })).status).toBe(400);
  });
});
