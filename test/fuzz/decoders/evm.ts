/** What people sign: signatures and calldata, answers of contracts, requests of operations, permits, digests. */
import { isFields } from '@handover/core';
import {
  decodeAddress,
  decodeAddresses,
  decodeText,
  decodeWord,
  encodeText,
  KNOWN_FUNCTIONS,
  operationDigest,
  parseSignature,
  permitTypedData,
  plainTransaction,
  type RequestedStep,
  readCalldata,
  redactSecrets,
  selectorOf,
  validateOperation,
  wirePermit,
} from '@handover/evm';
import { nodeCodec as codec } from '../../../packages/server/src/platform/node-codec.js';
import { decoderTarget } from '../decoder-target.js';
import { type Json, json } from '../values/json.js';
import { mutateJson } from '../values/mutate-json.js';
import type { Random } from '../values/random.js';
import { mutateText, text, word } from '../values/texts.js';

const ADDRESS = `0x${'1'.repeat(40)}`;
const TYPES = [
  'address',
  'uint256',
  'bool',
  'bytes',
  'string',
  'bytes32',
  'int8',
  'uint8[]',
  '(address,uint256[])[]',
  'bytes[2][]',
  'string[1000][1000]',
  '((((uint8))))',
];

function signature(random: Random): string {
  if (random.oneIn(3)) return random.pick(KNOWN_FUNCTIONS).signature;
  const made = `${word(random).replace(/^\W|^\d/, 'f')}(${Array.from({ length: random.size(6) }, () => random.pick(TYPES)).join(',')})`;
  return random.oneIn(2) ? made : mutateText(random, made);
}

/** A selector and words, many of which are offsets and lengths that fit, or nearly fit. */
function calldata(random: Random, of: string): string {
  const selector = selectorOf(parseSignature(of)?.canonical ?? of);
  const words = Array.from({ length: random.size(random.oneIn(20) ? 2_000 : 12) }, () => {
    const value = random.oneIn(3)
      ? BigInt(random.int(16) * 32)
      : random.oneIn(3)
        ? BigInt(random.int(4))
        : 2n ** 256n - 1n - BigInt(random.word());
    return value.toString(16).padStart(64, '0');
  });
  const data = `0x${selector}${words.join('')}`;
  return random.oneIn(4) ? mutateText(random, data) : data;
}

function transaction(random: Random, data: string): Json {
  const right: Json = { to: ADDRESS, from: ADDRESS, value: '0', data, gas: '0x5208', nonce: 1 };
  return random.oneIn(2) ? right : mutateJson(random, right);
}

export const evm = decoderTarget({
  name: 'evm',
  generate(random) {
    const claim = signature(random);
    const data = calldata(random, claim);
    const steps: Json = [
      { id: 's1', txRequest: transaction(random, data) },
      { id: random.oneIn(3) ? 's1' : text(random, 20) },
    ];
    return {
      claim,
      data,
      steps,
      other: random.oneIn(3) ? json(random) : { __secret1: 'x', a: [{ __secret: 1 }] },
    };
  },
  check(input) {
    const { claim, data, steps, other } = input as { claim: string; data: string; steps: Json; other: Json };
    const parsed = parseSignature(claim);
    if (parsed && parseSignature(parsed.canonical)?.canonical !== parsed.canonical)
      return 'a signature is not stable';
    readCalldata({ to: ADDRESS, value: 0n, data }, claim);
    const said = decodeText(data);
    if (said !== undefined && decodeText(`0x${encodeText(said)}`) !== said) return 'a text is not stable';
    for (const decode of [decodeAddress, decodeAddresses, decodeWord]) decode(data);
    const requested = listOfSteps(steps);
    if (validateOperation({ steps, other }, requested).valid)
      for (const { txRequest } of requested) if (txRequest) readCalldata(plainTransaction(txRequest), claim);
    return digestFlaw(other) ?? permitFlaw(claim, data);
  },
});

/** As the door's schema lets them through: ids are text, transactions are objects. */
function listOfSteps(steps: Json): readonly RequestedStep[] {
  const list: readonly unknown[] = Array.isArray(steps) ? steps : [];
  return list
    .filter(isFields)
    .filter(
      ({ id, txRequest }) => typeof id === 'string' && (txRequest === undefined || isFields(txRequest)),
    ) as never;
}

function digestFlaw(other: Json): string | undefined {
  if (!isFields(other)) return undefined;
  const digest = (request: object) => operationDigest(1, { request: request as never }, codec);
  const same = digest(other) === digest(redactSecrets(other as never) as object);
  return same ? undefined : 'a digest depends on a secret';
}

function permitFlaw(ostcId: string, ostcHash: string): string | undefined {
  const facts = { from: ADDRESS, ostcId, ostcHash, sessionId: '1', maxTotalGas: 0, expiry: 1 };
  const chain = { chainId: 1, permit: { ostcHashType: 'string', wire: 'catalog' } } as const;
  const wire = JSON.parse(JSON.stringify(wirePermit(facts, '0x', chain))) as { message: object };
  const signed = JSON.parse(JSON.stringify(permitTypedData(facts, chain).message)) as object;
  return JSON.stringify(wire.message) === JSON.stringify(signed)
    ? undefined
    : 'a permit travels otherwise than it is signed';
}
