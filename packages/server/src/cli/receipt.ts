/** `handover receipt <id> [<part>]`: what a finished session or an operation came to, signed by the server's key. */
import { canonicalJson, FaultCode, familyOfId, HandoverError, StreamKind, signReceipt } from '@handover/core';
import type { Command } from 'commander';
import { nodeCodec } from '../platform/node-codec.js';
import { auditForReceipt } from '../proof/audited-receipt.js';
import { entryPages } from '../proof/entry-pages.js';
import { folderSigner } from '../proof/receipt-keys.js';
import { answering, ExitCode, type Output } from './audit-command.js';
import { withDataOption } from './data-option.js';
import { type OutOptions, writeOut } from './out-file.js';
import { receiptOfOperation } from './receipt-of-operation.js';
import { type SourceOptions, unsound, withStream } from './stream-source.js';

export function addReceiptCommand(program: Command): void {
  const command = program
    .command('receipt')
    .description(
      'Write a signed receipt: of a finished session (who offered, what was frozen, who answered), or of an operation that is over (what moved, and on whose word).',
    )
    .argument('<id>', 'session id, or the op_, bd_ or ss_ id of an operation')
    .argument(
      '[part]',
      'of a session: handoff id (default: the accepted offer, else the last one); of an operation: number of the receipt (default: the newest)',
    )
    .option('--tenant <name>', 'tenant of the session or operation', 'default')
    .option('--out <file>', 'write here instead of stdout')
    .option('--force', 'overwrite the file');
  withDataOption(command, 'where the log lives; default as for serve');
  answering(command, (output, id: string, part: string | undefined, options: SourceOptions & OutOptions) =>
    familyOfId(id) === undefined
      ? receiptOfSession(id, part, options, output)
      : receiptOfOperation(id, part, options, output),
  );
}

export function receiptOfSession(
  session: string,
  handoff: string | undefined,
  options: SourceOptions & OutOptions,
  output: Output,
): Promise<ExitCode> {
  const refOf = (tenant: string) => ({ tenant, kind: StreamKind.Session, id: session });
  return withStream(refOf, options, async ({ folder, ref, view }) => {
    const { verdict, receipt } = await auditForReceipt(ref, entryPages(view, ref), nodeCodec);
    if (!verdict.ok) throw unsound(ref, verdict.flaw);
    const made = receipt(handoff);
    if ('none' in made)
      throw new HandoverError(FaultCode.CONFIGURATION, `no receipt for session ${session}: ${made.none}`);
    const signed = signReceipt(made.body, Date.now(), folderSigner(folder), nodeCodec);
    await writeOut([`${canonicalJson(signed)}\n`], options, output);
    return ExitCode.Ok;
  });
}
