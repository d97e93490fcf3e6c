/** docs/reference/macp-rpc.md: what it says of each call is what a server does, at both doors. */
import { type MethodKey, methods } from '@handover/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REJECTION_STATUS } from '../../../packages/server/src/doors/status-table.js';
import { loadFixtures } from '../../conformance/load-fixtures.js';
import { openServer } from '../../kit/server.js';
import { codeIn, expectPage, readPage } from '../generated.js';
import { readProto } from '../proto/read-proto.js';
import { canRunScripts, runScript } from '../run-script.js';
import { countedCalls, whoMayCall } from './access.js';
import { MACP_CODES } from './codes.js';
import { questions } from './questions.js';
import { CALL_REFUSALS } from './refusals.js';
import { rpcBlocks } from './rpc-page.js';
import { type Door, openSessions, openWorld, type World } from './world.js';

const PAGE = 'docs/reference/macp-rpc.md';
const keys = Object.keys(methods) as MethodKey[];
const unary = keys.filter((key) => !methods[key].responseStream);
/** Any call may be refused with these, as the page says. */
const ANY = ['UNAUTHENTICATED', 'PAYLOAD_TOO_LARGE', 'RATE_LIMITED', 'INTERNAL_ERROR'];

let world: World;
beforeAll(async () => {
  world = await openWorld({ MACP_MAX_PAYLOAD_BYTES: '1024' });
});
afterAll(() => world.close());

it('the page is what the proto files, the tables and the server say', async () => {
  const who = new Map<MethodKey, string>();
  for (const key of keys) who.set(key, await whoMayCall(key, world, () => openSessions(world)));
  const calls = unary.map((key) => [key, methods[key].name] as const);
  await expectPage(PAGE, rpcBlocks(readProto(), { who, counted: await countedCalls(calls) }));
});

describe('a refusal', () => {
  const cases = keys.flatMap((key) =>
    CALL_REFUSALS[key].map((refusal) => [key, refusal.code, refusal] as const),
  );

  it.each(cases)('of %s with %s is what both doors answer', async (key, code, { asked, inBand }) => {
    if (!asked) return expect(code).toBe('REGISTRY_READ_ONLY');
    const sessions = await openSessions(world);
    const [caller, body] = asked(sessions);
    const { http, grpc } = REJECTION_STATUS[code];
    expect(answered(await world.http.ask(key, caller, body))).toEqual(
      inBand === true ? { inBand: code } : { status: String(http), code },
    );
    expect(answered(await world.grpc.ask(key, caller, body))).toEqual(
      inBand ? { inBand: code } : { status: grpc, code },
    );
  });

  it('with REGISTRY_READ_ONLY comes from a server whose policies are files', () => {
    const named = keys.filter((key) => CALL_REFUSALS[key].some(({ code }) => code === 'REGISTRY_READ_ONLY'));
    // test/conformance/statuses.test.ts asks such a server for both.
    expect(named).toEqual(['registerPolicy', 'unregisterPolicy']);
  });
});

describe('no call', () => {
  it.each(['http', 'grpc'] as const)(
    'is refused with a code that the page does not name, over %s',
    async (name) => {
      const door: Door = world[name];
      const seen = new Map<MethodKey, Set<string>>();
      // Send is asked by the fixtures; a stream is asked by its rows alone.
      const asked = unary.filter((key) => key !== 'send');
      for (const { key, caller, body } of questions(asked, await openSessions(world))) {
        const { code, inBand } = await door.ask(key, caller, body);
        const found = code ?? inBand;
        if (found !== undefined && !ANY.includes(found))
          seen.set(key, (seen.get(key) ?? new Set()).add(found));
      }
      expect(seen.size).toBeGreaterThan(10);
      for (const [key, codes] of seen) {
        const named: readonly string[] = CALL_REFUSALS[key].map(({ code }) => code);
        expect([key, [...codes].filter((code) => !named.includes(code))]).toEqual([key, []]);
      }
    },
  );

  it('of the fixtures is refused with a code that the page does not name below Send', () => {
    const codes = loadFixtures()
      .flatMap(({ fixture }) => [
        ...fixture.messages,
        ...(fixture.setup ?? []),
        ...(fixture.start ? [fixture.start] : []),
      ])
      .map((step) =>
        'control' in step ? undefined : 'expected_error_code' in step ? step.expected_error_code : undefined,
      )
      .filter((code) => code !== undefined);
    const named: readonly string[] = CALL_REFUSALS.send.map(({ code }) => code);
    expect([...new Set(codes)].filter((code) => !named.includes(code) && code !== 'INTERNAL_ERROR')).toEqual(
      [],
    );
    expect(named.filter((code) => !codes.includes(code))).toEqual([]);
  });
});

it('every code of MACP is on the page, and those that only tools have are not', () => {
  expect(MACP_CODES.length).toBe(22);
  for (const key of keys) for (const { code } of CALL_REFUSALS[key]) expect(MACP_CODES).toContain(code);
});

it.runIf(canRunScripts)('the call of the page is answered', async () => {
  const server = await openServer();
  const [script = ''] = codeIn(readPage(PAGE), 'bash');
  expect(JSON.parse(await runScript(script, server.httpUrl))).toMatchObject({
    selected_protocol_version: '1.0',
  });
  await server.close();
});

it('the rules of the HTTP binding name every stream', () => {
  const rules = readPage('docs/spec/macp-http.md');
  const section = rules.slice(rules.indexOf('### 17.3'), rules.indexOf('### 17.4'));
  const streams = Object.values(methods).filter(({ responseStream }) => responseStream);
  for (const { name } of streams) expect(section).toContain(name);
});

const answered = ({ status, code, inBand }: Awaited<ReturnType<Door['ask']>>) =>
  inBand === undefined ? { status, code } : { inBand };
