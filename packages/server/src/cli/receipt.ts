/** `handover receipt <session> [<handoff id>]`: what a finished session came to, signed by the server's key. */
import { canonicalJson, FaultCode, HandoverError, signReceipt } from '@handover/core';
import type { Command } from 'commander';
import { nodeCodec } from '../platform/node-codec.js';
import { auditForReceipt } from '../proof/audited-receipt.js';
import { entryPages } from '../proof/entry-pages.js';
import { folderSigner } from '../proof/receipt-keys.js';
import { answering, ExitCode, type Output } from './audit-command.js';
import { type OutOptions, writeOut } from './out-file.js';
import { type SourceOptions, unsound, withSession } from './session-source.js';

export function addReceiptCommand(program: Command): void {
  const command = program
    .command('receipt')
    .description('Write a signed receipt of a finished session: who offered, what was frozen, who answered.')
    .argument('<session>', 'session id')
    .argument('[handoff]', 'handoff id; default: the accepted offer, else the last one')
    .option('--data <folder>', 'the data folder; default as for serve')
    .option('--tenant <name>', 'tenant of the session', 'default')
    .option('--out <file>', 'write here instead of stdout')
    .option('--force', 'overwrite the file');
  answering(
    command,
    (output, session: string, handoff: string | undefined, options: SourceOptions & OutOptions) =>
      receiptOfSession(session, handoff, options, output),
  );
}

export function receiptOfSession(
  session: string,
  handoff: string | undefined,
  options: SourceOptions & OutOptions,
  output: Output,
): Promise<ExitCode> {
  return withSession(session, options, async ({ folder, ref, view }) => {
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
