/** `handover export <session>`: the transcript of a session in canonical JSON. */
import { createExportWriter, type Entry, StreamKind, type StreamRef } from '@handover/core';
import type { Command } from 'commander';
import { nodeCodec } from '../platform/node-codec.js';
import { entryPages } from '../proof/entry-pages.js';
import { verifyPages } from '../proof/verify-pages.js';
import { answering, ExitCode, type Output } from './audit-command.js';
import { withDataOption } from './data-option.js';
import { type OutOptions, writeOut } from './out-file.js';
import { type SourceOptions, unsound, withStream } from './stream-source.js';

export function addExportCommand(program: Command): void {
  const command = program
    .command('export')
    .description("Write a session's transcript in canonical JSON; it can be verified without the server.")
    .argument('<session>', 'session id')
    .option('--tenant <name>', 'tenant of the session', 'default')
    .option('--out <file>', 'write here instead of stdout')
    .option('--force', 'overwrite the file');
  withDataOption(command, 'where the log lives; default as for serve');
  answering(command, (output, session: string, options: SourceOptions & OutOptions) =>
    exportSession(session, options, output),
  );
}

export function exportSession(
  session: string,
  options: SourceOptions & OutOptions,
  output: Output,
): Promise<ExitCode> {
  const refOf = (tenant: string) => ({ tenant, kind: StreamKind.Session, id: session });
  return withStream(refOf, options, async ({ ref, view }) => {
    // The audit comes first, so that nothing is written of a log with a flaw.
    const verdict = await verifyPages(ref, entryPages(view, ref), nodeCodec);
    if (!verdict.ok) throw unsound(ref, verdict.flaw);
    await writeOut(transcript(ref, entryPages(view, ref)), options, output);
    return ExitCode.Ok;
  });
}

async function* transcript(ref: StreamRef, pages: AsyncIterable<readonly Entry[]>): AsyncGenerator<string> {
  const writer = createExportWriter(ref, nodeCodec);
  for await (const page of pages) for (const entry of page) yield writer.entry(entry);
  yield `${writer.end()}\n`;
}
