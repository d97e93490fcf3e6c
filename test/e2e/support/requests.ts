/** One small request of each family, made by the agent: what the races are run with. */

import type { Client } from '@modelcontextprotocol/client';
import { xrc729Creation } from '../../kit/contracts.js';
import type { World } from './world.js';

export type FamilyName = 'operation' | 'bundle' | 'session';
export const FAMILY_NAMES: readonly FamilyName[] = ['operation', 'bundle', 'session'];

type Data = Readonly<Record<string, unknown>>;

export interface MadeRequest {
  readonly family: FamilyName;
  readonly id: string;
  readonly url: string;
  /** The button that opens the wallet. */
  readonly verb: RegExp;
  /** What the agent is told of it now. */
  read(): Promise<Data>;
  cancel(): Promise<Data>;
  /** What the agent is told once it says so. */
  until(done: (data: Data) => boolean): Promise<Data>;
}

const TOOLS: Readonly<
  Record<FamilyName, { create: string; read: string; cancel: string; key: string; verb: RegExp }>
> = {
  operation: {
    create: 'create_operation_handoff',
    read: 'get_operation_status',
    cancel: 'cancel_operation_handoff',
    key: 'operationId',
    verb: /^(?:Try again: )?Sign in the wallet/,
  },
  bundle: {
    create: 'create_xdala_bundle_deploy_handoff',
    read: 'get_xdala_bundle_deploy_handoff',
    cancel: 'cancel_xdala_bundle_deploy_handoff',
    key: 'handle',
    verb: /^(?:Try again: )?Deploy/,
  },
  session: {
    create: 'create_xdala_session_start_handoff',
    read: 'get_xdala_session_start_handoff',
    cancel: 'cancel_xdala_session_start_handoff',
    key: 'handle',
    verb: /^(?:Try again: )?(?:Sign the permit|Start this)/,
  },
};

let made = 0;

/** `same`: the same content as another request with this number. `by`: another agent than that of the world. */
export async function makeRequest(
  world: World,
  family: FamilyName,
  rest: Data = {},
  same?: number,
  by?: Client,
): Promise<MadeRequest & { readonly number: number }> {
  made += 1;
  const number = same ?? made;
  const { create, read, cancel, key, verb } = TOOLS[family];
  const created = await world.call(
    create,
    {
      network: 'local',
      chainId: world.anvil.chainId,
      ...(await contentOf(world, family, number)),
      ...rest,
    },
    by,
  );
  const id = String(created.id ?? created.handle);
  const args = { [key]: id };
  return {
    family,
    number,
    id,
    url: String(created.operationUrl ?? created.xdalaUrl),
    verb,
    read: () => world.call(read, args, by),
    cancel: () => world.call(cancel, args, by),
    until: (done) => world.until(read, args, done, by),
  };
}

async function contentOf(world: World, family: FamilyName, number: number): Promise<Data> {
  switch (family) {
    case 'operation':
      return payment(world, number);
    case 'bundle':
      return { bundle: bundleOf(number) };
    case 'session':
      return sessionOf(world, number);
  }
}

/** Each pays another amount: no two requests of a test run can be taken for one another. */
const payment = (world: World, number: number): Data => ({
  type: 'payment',
  summary: { title: `Pay invoice ${number}` },
  steps: [{ id: 'pay', txRequest: { to: world.anvil.account(6).address, value: String(1_000 + number) } }],
});

/** A rule, and a process that uses it. */
function bundleOf(number: number): Data {
  const bundleId = `race_${number}`;
  const rule = {
    id: 'OnlyRule',
    bundleId,
    address: 'cm:xrc137:OnlyRule',
    meta: { type: 'xrc137', alias: 'OnlyRule', bundleId },
    payload: { InvoiceId: { type: 'string' } },
    rules: [`[InvoiceId] != '${number}'`],
    onValid: { payload: { InvoiceId: '[InvoiceId]' } },
    onInvalid: { payload: { InvoiceId: '[InvoiceId]' } },
  };
  const process = {
    id: 'race_flow',
    bundleId,
    meta: { type: 'xrc729', alias: 'race_flow', bundleId },
    structure: { Start: { rule: 'cm:xrc137:OnlyRule' } },
  };
  return {
    format: 'xgr-multi-bundle@1',
    createdAt: '2026-06-07T12:00:00Z',
    bundles: [{ bundleId, items: [process, rule] }],
  };
}

const processes = new WeakMap<World, Promise<unknown>>();

/** One contract serves all sessions of a world: they differ by what they start with. */
function processOf(world: World): Promise<unknown> {
  const process = processes.get(world) ?? deployed(world);
  processes.set(world, process);
  return process;
}

async function deployed({ anvil }: World): Promise<unknown> {
  const data = xrc729Creation({
    race_flow:
      '{"id":"race_flow","structure":{"Start":{"rule":"0x1111111111111111111111111111111111111111"}}}',
  });
  const hash = await anvil.client.sendTransaction({ account: anvil.account(9), data });
  return (await anvil.client.waitForTransactionReceipt({ hash })).contractAddress;
}

async function sessionOf(world: World, number: number): Promise<Data> {
  const session = {
    orchestration: await processOf(world),
    ostcId: 'race_flow',
    stepId: 'Start',
    payload: { InvoiceId: `INV-${number}` },
    maxTotalGas: 1_000_000,
  };
  return {
    source: 'direct',
    request: { type: 'xdala_session_start', version: 'xgr-session-start@1', sessions: [session] },
  };
}
