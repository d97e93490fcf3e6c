/**
 * What `handover verify` is given: exports and receipts, as they were written and damaged. It always comes to a
 * verdict. A signature never vouches for anything but what was signed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import {
  canonicalJson,
  type Entry,
  headOf,
  isFields,
  isOver,
  makeReceipt,
  presentOperation,
  readExport,
  type StoredOperation,
  signOperationReceipt,
  signReceipt,
} from '@handover/core';
import { ExitCode } from '../../../packages/server/src/cli/conventions/exit-code.js';
import { verifyDocument } from '../../../packages/server/src/cli/verify-document.js';
import { memoryKeyring } from '../../../packages/server/src/keys/keyring.js';
import { nodeCodec as codec } from '../../../packages/server/src/platform/node-codec.js';
import { receiptSigner } from '../../../packages/server/src/proof/receipt-keys.js';
import { foldedStates } from '../../histories/fold.js';
import { decoderTarget } from '../decoder-target.js';
import { deep, type Json, parsed } from '../values/json.js';
import { mutateJson } from '../values/mutate-json.js';
import type { Random } from '../values/random.js';
import { mutateText } from '../values/texts.js';

const FOLDER = new URL('../../histories/0.1.0/', import.meta.url);
const NAMES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.json') && !/(state-hashes|entry-types)\.json$/.test(name))
  .sort();
const ISSUED_AT = 1_700_000_000_000;
const signer = receiptSigner(memoryKeyring());
const QUIET = { out: () => {}, note: () => {} };
const canonical = (value: unknown): string => canonicalJson(value as never);

const exported = (name: string): Json => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Json;

/** Undefined for a recording of something else, or of something that is not over. */
function receiptOf(document: Json, random: Random): object | undefined {
  const read = readExport(document, codec);
  if ('flaw' in read) return undefined;
  const { ref, entries } = read;
  if (ref.kind === 'operation') {
    const stored = foldedStates<StoredOperation>(ref, entries).at(-1);
    const state = stored && presentOperation(stored);
    if (!state || !isOver(state)) return undefined;
    // An operation may have no step at all.
    const shown = random.oneIn(4) ? { ...state, steps: [] } : state;
    const head = headOf(entries.at(-1) as Entry);
    return signOperationReceipt({ tenant: ref.tenant, state: shown, head, no: 1 }, signer, codec);
  }
  const made = ref.kind === 'session' ? makeReceipt(entries, codec) : undefined;
  return made && 'body' in made ? signReceipt(made.body, ISSUED_AT, signer, codec) : undefined;
}

function damaged(random: Random, value: Json): string {
  if (random.oneIn(8)) return canonical(value);
  if (random.oneIn(6)) return mutateText(random, canonical(value));
  if (random.oneIn(30))
    return canonical({ ...(value as object), decoded: deep(random.between(500, 2_000), random) });
  const changed = mutateJson(random, value);
  // Canonical text gets further than text that is refused for its spelling.
  return random.oneIn(8) ? JSON.stringify(changed) : canonical(changed);
}

export const documents = decoderTarget({
  name: 'documents',
  generate(random) {
    const whole = exported(random.pick(NAMES));
    const receipt = random.oneIn(2) ? (receiptOf(whole, random) as Json | undefined) : undefined;
    return {
      text: damaged(random, receipt ?? whole),
      signed: receipt === undefined ? '' : signedPart(receipt),
    };
  },
  async check(input) {
    const { text, signed } = input as { text: string; signed: string };
    const code = await verifyDocument('a.json', text, { data: '/nonexistent', json: true }, QUIET);
    const isGenuine = signed !== '' && code !== ExitCode.Failed;
    return isGenuine && signedPart(parsed(text)) !== signed
      ? 'a receipt that was changed passes for genuine'
      : undefined;
  },
});

/** Everything but the signature, which may be spelled in more than one way. */
function signedPart(receipt: unknown): string {
  const { signature: _, ...signed } = isFields(receipt) ? receipt : {};
  return canonical(signed);
}
