/** `handover export <session>`: the transcript of a session in canonical JSON. */
import { createExportWriter, type Entry, named, type StreamRef, shellLine } from '@handover/core';
import type { Command } from 'commander';
import { nodeCodec } from '../platform/node-codec.js';
import { entryPages } from '../proof/entry-pages.js';
import { verifyPages } from '../proof/verify-pages.js';
import { sessionRef } from '../services/stream-refs.js';
import { acting } from './conventions/acting.js';
import { ExitCode } from './conventions/exit-code.js';
import { type CommandFailure, wrongUsage } from './conventions/failure.js';
import { type OutFlags, withDataDir, withOut, withTenant } from './conventions/flags.js';
import type { Output } from './conventions/output.js';
import { handoffWords } from './handoffs-of-key.js';
import { writeOut } from './out-file.js';
import { type SessionMeant, sessionMeant } from './session-meant.js';
import { type SourceFlags, unsound, withView } from './stream-source.js';

export function describeExport(command: Command): void {
  command.argument('<session>', 'session or handoff id');
  withOut(withTenant(withDataDir(command)));
  acting(
    command,
    [ExitCode.Failed, ExitCode.Usage, ExitCode.NotFound],
    (output, session: string, options: SourceFlags & OutFlags) => exportSession(session, options, output),
  );
}

export function exportSession(
  id: string,
  options: SourceFlags & OutFlags,
  output: Output,
): Promise<ExitCode> {
  return withView(options, async (source) => {
    const { tenant, view } = source;
    const meant = await sessionMeant(source, id);
    if ('key' in meant) throw sessionWanted(meant);
    const ref = sessionRef(tenant, meant.sessionId);
    // The audit comes first, so that nothing is written of a log with a flaw.
    const verdict = await verifyPages(ref, entryPages(view, ref), nodeCodec);
    if (!verdict.ok) throw unsound(ref, verdict.flaw);
    await writeOut(transcript(ref, entryPages(view, ref)), options, output);
    return ExitCode.Done;
  });
}

/** A working session goes through many handoffs, and what it says is another question: nothing is chosen for the caller. */
function sessionWanted({ key, handoffs }: Extract<SessionMeant, { readonly key: string }>): CommandFailure {
  const what = `${named(key)} is a working session; what is exported is a handoff of it`;
  const said = `"${shellLine('md export', [key])}" writes what it says`;
  const ids =
    handoffs.length === 0 ? 'It was never handed over' : `Give the id of one: ${handoffWords(handoffs)}`;
  return wrongUsage(what, `${ids}. ${said}`);
}

async function* transcript(ref: StreamRef, pages: AsyncIterable<readonly Entry[]>): AsyncGenerator<string> {
  const writer = createExportWriter(ref, nodeCodec);
  for await (const page of pages) for (const entry of page) yield writer.entry(entry);
  yield `${writer.end()}\n`;
}
