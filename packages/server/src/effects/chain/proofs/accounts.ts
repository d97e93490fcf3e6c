/** Which accounts may have made the call of a step, and which contracts of others are known on a chain. */
import type { StepState } from '@handover/core';
import { ENTRY_POINTS } from '@handover/evm';
import type { ChainClient, Hex } from '../../../chain/port.js';
import type { OperationDependencies } from '../../../services/operations/dependencies.js';
import type { OperationRecord } from '../../../services/operations/record.js';

type Known = Pick<OperationDependencies, 'smartAccounts'>;

export const entryPointsOf = ({ smartAccounts }: Known, chainId: number): readonly string[] => [
  ...ENTRY_POINTS,
  ...(smartAccounts.entryPoints.get(chainId) ?? []),
];

export const singletonsOf = ({ smartAccounts }: Known, chainId: number): readonly string[] =>
  smartAccounts.safeSingletons.get(chainId) ?? [];

/** Pages say who is connected, so there may be many. */
const MOST_ACCOUNTS = 4;

/** The accounts that are bound to a step, the named one or the newest first. */
export function accountsOf({ state }: OperationRecord, step: StepState): readonly Hex[] {
  const named = step.from ?? state.signer;
  if (named !== undefined) return [named as Hex];
  const asked = state.asks.filter(({ steps }) => steps.includes(step.id)).map(({ account }) => account);
  const connected = state.connected.map(({ account }) => account);
  const all = [...asked.reverse(), ...connected.reverse()].filter((one) => one !== undefined);
  return [...new Set(all)].slice(0, MOST_ACCOUNTS) as readonly Hex[];
}

export const AccountKind = { Plain: 'plain', Delegate: 'delegate', Contract: 'contract' } as const;
export type AccountKind = (typeof AccountKind)[keyof typeof AccountKind];

/** `delegate`: it has a key, and runs the code of another (EIP-7702). */
export async function accountKind(client: ChainClient, account: Hex): Promise<AccountKind> {
  const code = await client.code(account);
  if (code === '0x') return AccountKind.Plain;
  return code.startsWith('0xef0100') ? AccountKind.Delegate : AccountKind.Contract;
}
