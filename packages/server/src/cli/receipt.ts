/** `handover receipt <id> [<part>]`: what a finished session or an operation came to, signed by the server's key. */
import { canonicalJson, familyOfId, named, signReceipt } from '@handover/core';
import { type Command, Option } from 'commander';
import { nodeCodec } from '../platform/node-codec.js';
import { auditForReceipt } from '../proof/audited-receipt.js';
import { entryPages } from '../proof/entry-pages.js';
import { folderReceiptKeys } from '../proof/receipt-keys.js';
import { sessionRef } from '../services/stream-refs.js';
import { acting } from './conventions/acting.js';
import { ExitCode } from './conventions/exit-code.js';
import { notFound, wrongUsage } from './conventions/failure.js';
import { type OutFlags, withDataDir, withOut, withTenant } from './conventions/flags.js';
import type { Output } from './conventions/output.js';
import { decisionReceiptOfSession } from './decision-receipt-of-session.js';
import { handoffWords, isCommitted, type KeyHandoff } from './handoffs-of-key.js';
import { writeOut } from './out-file.js';
import { receiptOfOperation } from './receipt-of-operation.js';
import { receiptSettings } from './receipt-settings.js';
import { type SessionMeant, sessionMeant } from './session-meant.js';
import { type SourceFlags, unsound, withView } from './stream-source.js';

export function describeReceipt(command: Command): void {
  command
    .argument(
      '<id>',
      'key of a working session, handoff or session id, or the op_, bd_ or ss_ id of an operation',
    )
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
    if (flags.format === 'macp') return receiptOfSession(id, part, flags, output);
    return familyOfId(id) === undefined
      ? receiptOfHandoff(id, part, flags, output)
      : receiptOfOperation(id, part, flags, output);
  });
}

type ReceiptFlags = SourceFlags & OutFlags & { readonly format?: string };

async function receiptOfSession(
  id: string,
  part: string | undefined,
  flags: ReceiptFlags,
  output: Output,
): Promise<ExitCode> {
  const { sessionId } = await withView(flags, async (source) =>
    offerMeant(await sessionMeant(source, id), part, output),
  );
  return decisionReceiptOfSession(sessionId, flags, output);
}

export function receiptOfHandoff(
  id: string,
  part: string | undefined,
  options: SourceFlags & OutFlags,
  output: Output,
): Promise<ExitCode> {
  return withView(options, async (source) => {
    const { folder, tenant, view } = source;
    const { sessionId, offerId } = offerMeant(await sessionMeant(source, id), part, output);
    const ref = sessionRef(tenant, sessionId);
    const { verdict, receipt } = await auditForReceipt(ref, entryPages(view, ref), nodeCodec);
    if (!verdict.ok) throw unsound(ref, verdict.flaw);
    const made = receipt(offerId);
    if ('none' in made) throw notFound(`no receipt for session ${sessionId}: ${made.none}`);
    const { signer } = folderReceiptKeys(folder, receiptSettings());
    const signed = signReceipt(made.body, Date.now(), signer, nodeCodec);
    await writeOut([`${canonicalJson(signed)}\n`], options, output);
    return ExitCode.Done;
  });
}

/** Of a working session the last handoff that became final. */
function offerMeant(
  meant: SessionMeant,
  part: string | undefined,
  { note }: Output,
): { readonly sessionId: string; readonly offerId?: string | undefined } {
  if ('sessionId' in meant) return { sessionId: meant.sessionId, offerId: part ?? meant.offerId };
  const { handoffs } = meant;
  const key = named(meant.key);
  if (part !== undefined)
    throw wrongUsage(`${key} is a working session, which has no part`, namedIds(handoffs));
  const final = handoffs
    .filter(isCommitted)
    .toSorted((one, other) => (one.endedAt ?? 0) - (other.endedAt ?? 0));
  const newest = final.at(-1);
  if (!newest) throw notFound(`no handoff of the working session ${key} is final`, namedIds(handoffs));
  if (final.length > 1)
    note(
      `handover: this is the receipt of ${newest.handoffId}. Before it ${key} was handed over ` +
        `${final.length === 2 ? 'once' : `${final.length - 1} times`}: ${handoffWords(final.slice(0, -1))}\n`,
    );
  return newest;
}

const namedIds = (handoffs: readonly KeyHandoff[]): string =>
  handoffs.length === 0 ? 'It was never handed over' : `Its handoffs are ${handoffWords(handoffs)}`;
