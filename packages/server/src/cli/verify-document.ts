/** Exports and receipts. */
import {
  compareReceipt,
  type Entry,
  EXPORT_FORMAT,
  type Flaw,
  isFields,
  type Json,
  MACP_RECEIPT_FORMAT,
  member,
  OPERATION_RECEIPT_FORMAT,
  OPERATION_RECEIPT_FORMAT_1,
  RECEIPT_FORMAT,
  RECEIPT_FORMAT_1,
  type Receipt,
  readCanonical,
  readExport,
  StreamKind,
  type StreamVerdict,
  type TrustedKey,
  verifyReceipt,
  verifyStream,
} from '@handover/core';
import { dataPath } from '../config/data-path.js';
import { verifySignature } from '../keys/ed25519.js';
import { nodeCodec as codec } from '../platform/node-codec.js';
import { type AuditedReceipt, auditForReceipt } from '../proof/audited-receipt.js';
import { entryPages } from '../proof/entry-pages.js';
import { folderKeys, parseKeys } from '../proof/receipt-keys.js';
import { openSqliteReadOnly } from '../store/sqlite/index.js';
import { ExitCode } from './conventions/exit-code.js';
import { settingsOf, wrongUsage } from './conventions/failure.js';
import { namedFolder } from './conventions/flags.js';
import type { Output } from './conventions/output.js';
import { cannotCompare, exportedLog } from './exported-log.js';
import { receiptSettings } from './receipt-settings.js';
import type { VerifyOptions } from './verify.js';
import { isMacpReceipt, verifyMacpDocument } from './verify-macp-receipt.js';
import { type ReceiptCheck, verifyOneReceipt } from './verify-operation-receipt.js';
import { printDocumentFlaw, printExport, printReceipt } from './verify-print.js';
import { readSubject } from './verify-subject.js';

export async function verifyDocument(
  path: string,
  text: string,
  options: VerifyOptions & Pick<ReceiptCheck, 'newestGiven'>,
  output: Output,
): Promise<ExitCode> {
  const json = options.json === true;
  const flawed = (kind: string, flaw: Flaw): ExitCode => {
    printDocumentFlaw(path, kind, flaw, json, output);
    return ExitCode.Failed;
  };
  refuseAnswer(path, text);
  if (isMacpReceipt(text))
    return verifyMacpDocument(text, { path, trusted: trustedKeys(options), ...options }, output);
  const document = readCanonical(text);
  if ('flaw' in document) return flawed('document', document.flaw);
  switch (formatOf(document.value)) {
    case EXPORT_FORMAT: {
      const verdict = exportVerdict(document.value);
      if ('flaw' in verdict) return flawed('export', verdict.flaw);
      printExport(path, verdict, json, output);
      return ExitCode.Done;
    }
    case RECEIPT_FORMAT:
    case RECEIPT_FORMAT_1: {
      const known = trustedKeys(options).map(({ publicKey }) => publicKey);
      const verdict = verifyReceipt(document.value, { codec, verify: verifySignature, known });
      if (!verdict.ok) return flawed('receipt', verdict.flaw);
      const against =
        options.against === undefined ? undefined : await logOf(verdict.receipt, options.against);
      const flaw = against && logFlaw(verdict.receipt, against);
      if (flaw) return flawed('receipt', flaw);
      printReceipt(path, verdict, against !== undefined, json, output);
      return verdict.signer === 'known' ? ExitCode.Done : ExitCode.Unsure;
    }
    case OPERATION_RECEIPT_FORMAT:
    case OPERATION_RECEIPT_FORMAT_1: {
      const { against, newestGiven } = options;
      const check = {
        path,
        trusted: trustedKeys(options).map(({ publicKey }) => publicKey),
        ...(against !== undefined && { against }),
        ...(newestGiven !== undefined && { newestGiven }),
        json,
      };
      const checked = await verifyOneReceipt(document.value, check, output);
      return typeof checked === 'object' ? flawed('receipt', checked.flaw) : checked;
    }
    default:
      return flawed('document', {
        path: 'format',
        what: `must be "${EXPORT_FORMAT}", "${RECEIPT_FORMAT}" or "${OPERATION_RECEIPT_FORMAT}", or receipt_format "${MACP_RECEIPT_FORMAT}"`,
      });
  }
}

/** A tool's answer that holds a receipt is no forgery, only not the receipt itself. */
function refuseAnswer(path: string, text: string): void {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return;
  }
  const held = [member(answer, 'receipt'), member(member(answer, 'data'), 'receipt')];
  if (member(answer, 'format') !== undefined || !held.some((one) => member(one, 'format') !== undefined))
    return;
  throw wrongUsage(
    `${path} is an answer that holds a receipt, not the receipt itself`,
    'Save its member "receipt" in a file of its own, or get it with `handover receipt <id>`',
  );
}

function formatOf(value: Json): Json | undefined {
  return isFields(value) ? value.format : undefined;
}

function exportVerdict(value: Json): StreamVerdict | { readonly flaw: Flaw } {
  const read = readExport(value, codec);
  return 'flaw' in read ? read : verifyStream(read.ref, read.entries, codec);
}

/** Keys that were given, and those of the folder that was named; else of this user's own, if it has any that can be read. */
function trustedKeys(options: VerifyOptions): readonly TrustedKey[] {
  const given = settingsOf(() => (options.key ?? []).flatMap(parseKeys));
  return [...given, ...folderKeysOf(options), ...environmentKeys()];
}

/** What a server started here would sign with, and has signed with. */
function environmentKeys(): readonly TrustedKey[] {
  const { signing, retired } = receiptSettings();
  return [...(signing ? [{ kid: signing.kid, publicKey: signing.publicKey }] : []), ...retired];
}

function folderKeysOf({ against, ...own }: VerifyOptions): readonly TrustedKey[] {
  const named = [namedFolder(own), against].filter((folder) => folder !== undefined);
  if (named.length > 0) return named.flatMap(folderKeys);
  try {
    return folderKeys(dataPath(process.env));
  } catch {
    return [];
  }
}

async function logOf(receipt: Receipt, path: string): Promise<AuditedReceipt> {
  const ref = { tenant: receipt.tenant, kind: StreamKind.Session, id: receipt.session_id };
  const subject = await readSubject(path);
  if (subject.kind === 'document')
    return auditForReceipt(ref, onePage(exportedLog(path, subject.text)), codec);
  const view = await openSqliteReadOnly(path);
  try {
    return await auditForReceipt(ref, entryPages(view, ref), codec);
  } finally {
    await view.close();
  }
}

async function* onePage(entries: readonly Entry[]): AsyncGenerator<readonly Entry[]> {
  yield entries;
}

function logFlaw(receipt: Receipt, { verdict, receipt: fromLog }: AuditedReceipt): Flaw | undefined {
  return verdict.ok
    ? compareReceipt(receipt, fromLog(receipt.offer?.handoff_id))
    : cannotCompare(verdict.flaw);
}
