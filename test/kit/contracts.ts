/** The committed contracts, typed for viem. */
import { readFileSync } from 'node:fs';
import { type Abi, encodeDeployData, type Hex } from 'viem';

interface Artifact {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

export function artifact(name: 'Xrc137' | 'Xrc729' | 'TestToken'): Artifact {
  const path = new URL(`../../contracts/build/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(path, 'utf8')) as Artifact;
}

export const xrc137 = artifact('Xrc137');
export const xrc729 = artifact('Xrc729');
export const testToken = artifact('TestToken');

export const xrc137Creation = (json: string): Hex => encodeDeployData({ ...xrc137, args: [json] });

export const xrc729Creation = (
  documents: Readonly<Record<string, string>>,
  executors: readonly Hex[] = [],
): Hex =>
  encodeDeployData({ ...xrc729, args: [Object.keys(documents), Object.values(documents), executors] });

export const tokenCreation = (supply = 1_000_000_000n): Hex =>
  encodeDeployData({ ...testToken, args: ['Test Dollar', 'TUSD', 6, supply] });
