/** `handover verify [path...]`: a data folder (without a path this user's own), a database file, an export or receipts, told apart by what is in them. */
import type { Command } from 'commander';
import { nodeCodec } from '../platform/node-codec.js';
import { verifyData } from '../proof/verify-data.js';
import { acting } from './conventions/acting.js';
import { ExitCode, UNSURE_HELP } from './conventions/exit-code.js';
import { type DataFlags, dataFolder, type JsonFlags, withDataDir, withJson } from './conventions/flags.js';
import type { Output } from './conventions/output.js';
import { needsFolder } from './log-view.js';
import { requireData } from './require-data.js';
import { verifyDocument } from './verify-document.js';
import { printDataReport } from './verify-print.js';
import { verifyReceipts } from './verify-receipts.js';
import { readSubject } from './verify-subject.js';

export interface VerifyOptions extends DataFlags, JsonFlags {
  readonly key?: readonly string[];
  readonly against?: string;
}

const HELP = `
Of a data folder or database it recomputes every hash, replays every stream under the rules, rebuilds the list
tables from the log and compares them, and checks the database itself. It may run beside a server.

A receipt is checked by its signature. Whose key it is must be known from elsewhere: --key, or the data folder
of the server; 'handover keys' prints it. With --against it is also compared with the log, value by value, and it is
said whether the log has a later receipt of the operation, which counts in its place.

An operation may have several receipts: a transaction that turns up later supersedes what an earlier one says. Given
together, each must name the one before it; one that is missing or a second one with its number is a flaw.

A receipt in the protocol's own format (macp-receipt/1), ours or another vendor's, is told by its integrity (the hash of its
commitment, and the bytes it was made of), each signature, and the verdict: attested (a trusted key signed it), integrity_only
(whole, but nothing says whose it is), unverified or refused. A key set of the issuer is given with --key.

What cannot be found:
  - entries cut off at the end of a log, together with what the lists say of them: no chain shows its own missing
    end. Receipts, and heads kept elsewhere, do: they name the last entry.
  - which of two sessions was written first;
  - changes to bytes of a database file that hold no value (about 7 % of a full file, more of a small one).`;

export function describeVerify(command: Command): void {
  const collect = (value: string, before: readonly string[] = []) => [...before, value];
  command
    .argument(
      '[path...]',
      'data folder (default: that of --data-dir), database file, export JSON or receipt JSON (of our formats or macp-receipt/1; - is stdin); or several receipts of one operation',
    )
    .option(
      '--key <key>',
      "the signer's public key: base64, PEM, a JSON Web Key Set, or a file of it; may be repeated",
      collect,
    )
    .option('--against <path>', 'compare a receipt with this data folder, database file or export')
    .addHelpText('after', HELP);
  withJson(command);
  withDataDir(
    command,
    "data folder whose keys are trusted, and that is checked without a path; default: this user's own, as for serve",
  );
  command.addHelpText('after', `\n${UNSURE_HELP}`);
  const exits = [ExitCode.Failed, ExitCode.Usage, ExitCode.NotFound];
  acting(command, exits, async (output, paths: readonly string[], options: VerifyOptions) =>
    paths.length > 1
      ? verifyReceipts(paths, options, output)
      : verify(paths[0] ?? (await ownFolder(options)), options, output),
  );
}

async function ownFolder(options: VerifyOptions): Promise<string> {
  const instead = '"handover export" writes one session with its chain; verify that file';
  needsFolder('verify without a path', instead, options);
  const folder = dataFolder(options);
  await requireData(folder);
  return folder;
}

export async function verify(path: string, options: VerifyOptions, output: Output): Promise<ExitCode> {
  const subject = await readSubject(path);
  if (subject.kind === 'document') return verifyDocument(path, subject.text, options, output);
  const report = await verifyData(path, {
    codec: nodeCodec,
    onProgress: (streams, entries) => output.note(`${streams} streams, ${entries} entries\n`),
  });
  printDataReport(path, report, options.json === true, output);
  return report.flaws.length === 0 ? ExitCode.Done : ExitCode.Failed;
}
