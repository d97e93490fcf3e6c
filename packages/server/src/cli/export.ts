/** `handover export <session>`: the transcript of a session in canonical JSON. */
import { createExportWriter, type Entry, StreamKind, type StreamRef } from '@handover/core';
import type { Command } from 'commander';
import { nodeCodec } from '../platform/node-codec.js';
import { entryPages } from '../proof/entry-pages.js';
import { verifyPages } from '../proof/verify-pages.js';
import { acting } from './conventions/acting.js';
import { ExitCode } from './conventions/exit-code.js';
import { type OutFlags, withDataDir, withOut, withTenant } from './conventions/flags.js';
import type { Output } from './conventions/output.js';
import { writeOut } from './out-file.js';
import { type SourceFlags, unsound, withStream } from './stream-source.js';

export function describeExport(command: Command): void {
  command.argument('<session>', 'session id');
  withOut(withTenant(withDataDir(command)));
  acting(
    command,
    [ExitCode.Failed, ExitCode.Usage, ExitCode.NotFound],
    (output, session: string, options: SourceFlags & OutFlags) => exportSession(session, options, output),
  );
}

export function exportSession(
  session: string,
  options: SourceFlags & OutFlags,
  output: Output,
): Promise<ExitCode> {
  const refOf = (tenant: string) => ({ tenant, kind: StreamKind.Session, id: session });
  return withStream(refOf, options, async ({ ref, view }) => {
    // The audit comes first, so that nothing is written of a log with a flaw.
    const verdict = await verifyPages(ref, entryPages(view, ref), nodeCodec);
    if (!verdict.ok) throw unsound(ref, verdict.flaw);
    await writeOut(transcript(ref, entryPages(view, ref)), options, output);
    return ExitCode.Done;
  });
}

async function* transcript(ref: StreamRef, pages: AsyncIterable<readonly Entry[]>): AsyncGenerator<string> {
  const writer = createExportWriter(ref, nodeCodec);
  for await (const page of pages) for (const entry of page) yield writer.entry(entry);
  yield `${writer.end()}\n`;
}
