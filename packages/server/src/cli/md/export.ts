/** `handover md export`: where the work of a working session stands, as a HANDOFF.md. */
import { homedir } from 'node:os';
import { named } from '@handover/core';
import type { Command } from 'commander';
import { acting } from '../conventions/acting.js';
import { ExitCode } from '../conventions/exit-code.js';
import { wrongUsage } from '../conventions/failure.js';
import {
  type DataFlags,
  type JsonFlags,
  type OutFlags,
  ownDataFolder,
  withDataDir,
  withJson,
} from '../conventions/flags.js';
import type { Output } from '../conventions/output.js';
import { printable } from '../conventions/printable.js';
import { findProject, projectFlaw } from '../project/find-project.js';
import { writeMdFile } from './md-file.js';
import { readSource } from './md-source.js';
import { writeMd } from './write-md.js';

type Flags = DataFlags & JsonFlags & OutFlags & { readonly project?: string };

export function describeMdExport(command: Command): void {
  command
    .argument('[key]', 'key of the working session; else the newest open one of this project')
    .option('-o, --out <file>', 'write here instead of stdout')
    .option('--force', 'overwrite a file that this command did not write, or that was edited since')
    .option('--project <folder>', 'which project, without a key; else the current folder');
  withJson(withDataDir(command));
  const exits = [ExitCode.Failed, ExitCode.Usage, ExitCode.NotFound];
  acting(command, exits, (output, key: string | undefined, flags: Flags) => exportMd(key, flags, output));
}

async function exportMd(key: string | undefined, flags: Flags, output: Output): Promise<ExitCode> {
  const flaw = projectFlaw(flags.project);
  if (flaw !== undefined) throw wrongUsage(flaw);
  const sources = { flag: flags.project, env: process.env, workingFolder: process.cwd(), home: homedir() };
  const project = key === undefined ? findProject(sources)?.project.id : undefined;
  const source = await readSource(ownDataFolder(flags), { key, project });
  const text = writeMd(source);
  const { out, force = false, json } = flags;
  if (out !== undefined) writeMdFile(out, text, force);
  const { session, upTo, brief, onlyInLog = [] } = source;
  if (json) {
    const where = out === undefined ? { text } : { file: out };
    output.out(`${JSON.stringify({ session, upTo, digest: brief.digest, onlyInLog, ...where })}\n`);
  } else if (out === undefined) output.out(text);
  else output.note(`${printable(session)} up to entry ${upTo} is in ${out}.\n`);
  if (!json && onlyInLog.length > 0)
    output.note(
      `note: not in it, and to be had only from this data folder with readContext: ${onlyInLog.map(named).map(printable).join(', ')}\n`,
    );
  return ExitCode.Done;
}
