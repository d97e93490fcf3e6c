/** `handover receipt <id> [<part>]`: what a finished session or an operation came to, signed by the server's key. */
import { canonicalJson, FAMILIES, familyOfId, StreamKind, signReceipt } from '@handover/core';
import { type Command, Option } from 'commander';
import { nodeCodec } from '../platform/node-codec.js';
import { auditForReceipt } from '../proof/audited-receipt.js';
import { entryPages } from '../proof/entry-pages.js';
import { folderReceiptKeys } from '../proof/receipt-keys.js';
import { parseHandoffId } from '../services/handoffs/ids.js';
import { acting } from './conventions/acting.js';
import { ExitCode } from './conventions/exit-code.js';
import { notFound } from './conventions/failure.js';
import { type OutFlags, withDataDir, withOut, withTenant } from './conventions/flags.js';
import type { Output } from './conventions/output.js';
import { decisionReceiptOfSession } from './decision-receipt-of-session.js';
import { writeOut } from './out-file.js';
import { receiptOfOperation } from './receipt-of-operation.js';
import { receiptSettings } from './receipt-settings.js';
import { type SourceFlags, unsound, withStream } from './stream-source.js';

export function describeReceipt(command: Command): void {
  command
    .argument('<id>', 'handoff or session id, or the op_, bd_ or ss_ id of an operation')
    .argument(
      '[part]',
      'of a session: handoff id (default: the accepted offer, else the last one); of an operation: number of the receipt (default: the newest)',
    );
  command.addOption(
    new Option(
      '--format <name>',
      "handover, or macp: of a resolved session, in the protocol's own format; made when it is first asked for, and kept",
    )
      .choices(['handover', 'macp'])
      .default('handover'),
  );
  withOut(withTenant(withDataDir(command)));
  const exits = [ExitCode.Failed, ExitCode.Usage, ExitCode.NotFound];
  acting(command, exits, (output, id: string, part: string | undefined, flags: ReceiptFlags) => {
    if (flags.format === 'macp') return decisionReceiptOfSession(sessionOf(id), flags, output);
    return familyOfId(id) === undefined
      ? receiptOfHandoff(id, part, flags, output)
      : receiptOfOperation(id, part, flags, output);
  });
}

type ReceiptFlags = SourceFlags & OutFlags & { readonly format?: string };

/** Of a handoff as assistants know it, its session. */
const sessionOf = (id: string): string => parseHandoffId(id)?.sessionId ?? sessionId(id);

/** Assistants know the id of a handoff, `<session>:<offer>`; others name the session, and the offer behind it. */
function receiptOfHandoff(
  id: string,
  part: string | undefined,
  flags: SourceFlags & OutFlags,
  output: Output,
): Promise<ExitCode> {
  const whole = part === undefined ? parseHandoffId(id) : undefined;
  return whole
    ? receiptOfSession(whole.sessionId, whole.offerId, flags, output)
    : receiptOfSession(sessionId(id), part, flags, output);
}

/** The shortest id that a session may have. */
const SESSION_ID = 22;

/** What begins like the id of an operation and is none was meant to be one. */
function sessionId(id: string): string {
  const family = Object.values(FAMILIES).find(({ prefix }) => id.startsWith(prefix));
  if (!family || id.length >= SESSION_ID) return id;
  throw notFound(`no operation ${id}: its id is ${family.prefix} and 32 hex digits`);
}

export function receiptOfSession(
  session: string,
  handoff: string | undefined,
  options: SourceFlags & OutFlags,
  output: Output,
): Promise<ExitCode> {
  const refOf = (tenant: string) => ({ tenant, kind: StreamKind.Session, id: session });
  return withStream(refOf, options, async ({ folder, ref, view }) => {
    const { verdict, receipt } = await auditForReceipt(ref, entryPages(view, ref), nodeCodec);
    if (!verdict.ok) throw unsound(ref, verdict.flaw);
    const made = receipt(handoff);
    if ('none' in made) throw notFound(`no receipt for session ${session}: ${made.none}`);
    const signed = signReceipt(
      made.body,
      Date.now(),
      folderReceiptKeys(folder, receiptSettings()).signer,
      nodeCodec,
    );
    await writeOut([`${canonicalJson(signed)}\n`], options, output);
    return ExitCode.Done;
  });
}
