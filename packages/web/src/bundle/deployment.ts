/** From a step of a bundle to the transaction that deploys it. */
import { creationData, setOstcData } from '@handover/evm';
import type { ChainInfo } from '../model/chain-info.js';
import type { Deployment, Step } from '../model/record.js';
import type { Transaction } from '../transaction/normalise.js';

export const LARGE_DOCUMENT = 32 * 1024;
const PLACEHOLDER = /"cm:xrc137:([A-Za-z][A-Za-z0-9_-]{1,127})"/g;

/** Addresses of the rules of one bundle, by alias. */
export type Addresses = ReadonlyMap<string, string>;

export function placeholders(text: string): readonly string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, alias]) => alias ?? ''))];
}

/** Undefined while one of its rules has no address yet. */
export function resolvedText({ kind, text }: Deployment, addresses: Addresses): string | undefined {
  if (kind === 'xrc137') return text;
  if (placeholders(text).some((alias) => !addresses.has(alias))) return undefined;
  return text.replace(PLACEHOLDER, (_, alias: string) => `"${addresses.get(alias)}"`);
}

export function deploymentTransaction(
  deployment: Deployment,
  text: string,
  code: NonNullable<ChainInfo['creationCode']>,
): Transaction {
  const { kind, reuse, ostcId = deployment.itemId } = deployment;
  if (kind === 'xrc729' && reuse !== undefined)
    return { to: reuse.toLowerCase(), value: 0n, data: setOstcData(ostcId, text) };
  return { value: 0n, data: creationData(code[kind], { kind, text, ostcId }) };
}

/** The addresses of one bundle's rules that are known so far, by alias. */
export function knownAddresses(
  steps: readonly Step[],
  bundleId: string,
  found: ReadonlyMap<string, string>,
): Addresses {
  const pairs = steps.flatMap((step): (readonly [string, string])[] => {
    const { deployment } = step;
    if (deployment?.kind !== 'xrc137' || deployment.bundleId !== bundleId) return [];
    const address = deployment.reuse ?? step.contract ?? found.get(step.id);
    return address === undefined ? [] : [[deployment.alias, address.toLowerCase()]];
  });
  return new Map(pairs);
}

export const byteLength = (text: string): number => new TextEncoder().encode(text).length;
