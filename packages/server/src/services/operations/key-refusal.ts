/**
 * Refuses what holds keys: with the place and the rule, never the value. Nothing of it is stored or logged. Long texts are looked
 * through in many turns of the loop.
 */
import { type Issue, KEY_MATERIAL_CODE, type KeyRule, operationFlaw, type Rejection } from '@handover/core';
import { type FoundKey, lookForKeys } from '@handover/evm/key-material';
import { LongWork } from '../../platform/long-work.js';
import type { OperationDependencies } from './dependencies.js';
import { invalidRequest } from './invalid-request.js';

type Needed = Pick<OperationDependencies, 'codec' | 'metrics'>;

const RULES: Readonly<Record<KeyRule, string>> = {
  phrase:
    'words in a row that are a recovery phrase (BIP-39). Ordinary words rarely come out as one: then put another word between them',
  base58: 'a private key in base58',
  pem: 'a private key in PEM',
  keystore: 'a JSON keystore',
  hex: 'sixty-four hex digits that are called a key. A hash or an id may stand there under its own name',
};

const NEVER = 'this server never takes private keys or phrases';

const sentence = ({ rule }: FoundKey): string => `it holds ${RULES[rule]}; ${NEVER}`;

const keyFound = ({ codec }: Needed, value: unknown): Promise<FoundKey | undefined> =>
  new LongWork().run(lookForKeys(value, codec));

/** Of what an agent wants to hand over. */
export async function keyIn(deps: Needed, value: unknown): Promise<Rejection | undefined> {
  const found = await keyFound(deps, value);
  return found && refusedKey(deps, found);
}

export function refusedKey({ metrics }: Pick<Needed, 'metrics'>, found: FoundKey): Rejection {
  metrics.keyRefused(found.rule);
  const { path } = found;
  const issue: Issue = { level: 'error', code: KEY_MATERIAL_CODE, message: sentence(found), path };
  return invalidRequest(`${path}: ${sentence(found)}`, { errors: [issue] });
}

/** Of what a page posts. */
export async function postedKeyIn(deps: Needed, value: unknown): Promise<Rejection | undefined> {
  const found = await keyFound(deps, value);
  return found && refusedPost(deps, found);
}

export function refusedPost({ metrics }: Pick<Needed, 'metrics'>, found: FoundKey): Rejection {
  metrics.keyRefused(found.rule);
  return operationFlaw(`${KEY_MATERIAL_CODE}: ${found.path}: ${sentence(found)}`);
}
