/** `handover verify` of receipts in the protocol's own format, ours and those of other vendors. */
import {
  compareMacpReceipt,
  type Entry,
  type Flaw,
  isFields,
  type Json,
  type MacpReceipt,
  type MacpReceiptReport,
  type MacpReceiptResult,
  StreamKind,
  type TrustedKey,
  verifyMacpReceipt,
} from '@handover/core';
import { verifySignature } from '../keys/ed25519.js';
import { scanJson } from '../platform/json/json-scan.js';
import { parseExactly } from '../platform/json/parse-exactly.js';
import { nodeCodec as codec } from '../platform/node-codec.js';
import { macpReceiptOf } from '../proof/decision-receipt.js';
import { entryPages } from '../proof/entry-pages.js';
import { openSqliteReadOnly } from '../store/sqlite/index.js';
import { ExitCode } from './conventions/exit-code.js';
import type { Output } from './conventions/output.js';
import { cannotCompare, exportedLog } from './exported-log.js';
import { line, table } from './print-lines.js';
import { SIGNER_KNOWN, SIGNER_UNKNOWN } from './signer-words.js';
import { printDocumentFlaw } from './verify-print.js';
import { readSubject } from './verify-subject.js';

export interface MacpReceiptSubject {
  readonly path: string;
  readonly trusted: readonly TrustedKey[];
  readonly against?: string;
  readonly json?: boolean;
}

/** Nothing that we or others write is deeper or has more. */
const LIMITS = { depth: 64, values: 200_000, bytes: 64 * 1_048_576 };

/** Told by the member that only this format has. Others write their members in another order, so the text need not be canonical. */
export function isMacpReceipt(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) && Object.hasOwn(value, 'receipt_format');
  } catch {
    return false;
  }
}

export async function verifyMacpDocument(
  text: string,
  { path, trusted, against, json = false }: MacpReceiptSubject,
  output: Output,
): Promise<ExitCode> {
  const flawed = (flaw: Flaw, report?: MacpReceiptReport): ExitCode => {
    if (json)
      line(output.out, { ok: false, kind: 'macp-receipt', path, ...verdictOf(report), flaws: [flaw] });
    else printDocumentFlaw(path, 'macp-receipt', flaw, false, output);
    return ExitCode.Failed;
  };
  const bytes = Buffer.from(text);
  const scan = scanJson(bytes, LIMITS);
  const parsed = scan.excess ? { flaw: { message: 'is too large or too deep' } } : parseExactly(bytes, scan);
  if ('flaw' in parsed) return flawed({ path: '', what: `the document ${parsed.flaw.message}` });
  const report = verifyMacpReceipt(parsed.value as Json, { codec, verify: verifySignature, trusted });
  const flaw = report.flaw ?? tamperedWith(report);
  if (flaw || !report.receipt) return flawed(flaw ?? { what: 'it is no receipt' }, report);
  const differs = against === undefined ? undefined : await logFlaw(report.receipt, against);
  if (differs) return flawed(differs, report);
  print(path, { ...report, receipt: report.receipt }, { compared: against !== undefined, json }, output);
  return report.verdict === 'attested' ? ExitCode.Done : ExitCode.Unsure;
}

/** An attestation by a key that is trusted and does not fit: something was changed after it was signed. */
function tamperedWith({ verdict, attestations }: MacpReceiptReport): Flaw | undefined {
  const at = attestations.findIndex(({ status }) => status === 'invalid');
  if (verdict === 'attested' || at < 0) return undefined;
  const what = 'does not fit: a value of the receipt, or the signature itself, was changed';
  return { path: `attestations[${at}]`, what };
}

function verdictOf(report: MacpReceiptReport | undefined): object {
  const { verdict = 'refused', integrity = null, attestations = [] } = report ?? {};
  return { verdict, integrity, attestations };
}

async function logFlaw(receipt: MacpReceipt, against: string): Promise<Flaw | undefined> {
  const flaws: (Flaw | undefined)[] = [];
  for await (const result of resultsIn(receipt.session_id, against))
    flaws.push('flaw' in result ? cannotCompare(result.flaw) : compareMacpReceipt(receipt, result));
  if (flaws.length === 0) return compareMacpReceipt(receipt, { none: 'it has no such session' });
  // Tenants may have sessions of one id; the receipt is of one of them.
  return flaws.includes(undefined) ? undefined : flaws[0];
}

const ISSUE = { issuer: '', issuedAt: 0 };

/** What a log says of the session, for each tenant that has one of this id. */
async function* resultsIn(
  id: string,
  path: string,
): AsyncGenerator<MacpReceiptResult | { readonly flaw: Flaw }> {
  const subject = await readSubject(path);
  if (subject.kind === 'document') {
    const entries = exportedLog(path, subject.text);
    const ref = entries[0]?.stream;
    if (ref?.kind === StreamKind.Session && ref.id === id)
      yield macpReceiptOf(ref, onePage(entries), { codec, issue: ISSUE });
    return;
  }
  const view = await openSqliteReadOnly(path);
  try {
    for (const { ref } of view.streams())
      if (ref.kind === StreamKind.Session && ref.id === id)
        yield await macpReceiptOf(ref, entryPages(view, ref), { codec, issue: ISSUE });
  } finally {
    await view.close();
  }
}

async function* onePage(entries: readonly Entry[]): AsyncGenerator<readonly Entry[]> {
  yield entries;
}

function print(
  path: string,
  report: MacpReceiptReport & { readonly receipt: MacpReceipt },
  { compared, json }: { readonly compared: boolean; readonly json: boolean },
  { out }: Output,
): void {
  const { verdict, integrity, attestations, receipt } = report;
  if (json) {
    const ok = verdict === 'attested';
    line(out, { ok, kind: 'macp-receipt', path, ...verdictOf(report), compared, receipt, flaws: [] });
    return;
  }
  const { commitment, transcript } = receipt;
  const said = isFields(commitment) ? commitment : {};
  table(out, `${path}: macp-receipt`, {
    session: `${receipt.session_id} (${receipt.mode})`,
    commitment: `${String(said.action)}, ${said.outcome_positive === true ? 'positive' : 'negative'}: ${String(said.reason)}`,
    hash: receipt.commitment_hash,
    ...(transcript && { transcript: `${transcript.digest_alg} ${transcript.digest}` }),
    issued: `${receipt.issued_at}, ${receipt.issuer}`,
    integrity: String(integrity),
    signatures:
      attestations
        .map(({ type, status, kid }) => `${type}${kid === undefined ? '' : ` by ${kid}`}: ${status}`)
        .join(', ') || 'none',
    verdict,
    ...(compared && { log: 'the log gives the same receipt' }),
  });
  if (verdict === 'attested') out(SIGNER_KNOWN);
  else out(attestations.length === 0 ? UNSIGNED : SIGNER_UNKNOWN);
}

const UNSIGNED = 'whole, but nobody signed it: it says nothing of where it comes from\n';
