/** `handover install`: tells an assistant of this server, in the assistant's own files. */
import type { Command } from 'commander';
import { openDataFolder } from '../../store/open-data-folder.js';
import { acting } from '../conventions/acting.js';
import { ExitCode } from '../conventions/exit-code.js';
import { wrongUsage } from '../conventions/failure.js';
import {
  type AgentFlags,
  ownDataFolder,
  withAgent,
  withDataDir,
  withJson,
  withServer,
} from '../conventions/flags.js';
import type { Output } from '../conventions/output.js';
import { type Asked, askWho } from '../remote/ask-who.js';
import { requireUnixSockets } from '../unix-sockets.js';
import { applyPuts, refuseProblems } from './apply.js';
import { check } from './check.js';
import type { Client, PieceKind } from './client.js';
import { CLIENTS, clientNamed } from './clients.js';
import { isShortLived } from './launch.js';
import { list } from './list.js';
import { elsewhereFor, identityOf, piecesOf, type ScopeFlags, wantedFor, withScope } from './options.js';
import { planPuts } from './plan-files.js';
import { planAdd } from './plan-part.js';
import { readRecord } from './record.js';
import { withRecordLock } from './record-lock.js';
import { type Outcome, reportJson, reportText } from './report.js';
import { serverNotes } from './server-notes.js';

interface InstallFlags extends ScopeFlags, AgentFlags {
  readonly hooks: boolean;
  readonly command: boolean;
  readonly check?: boolean;
}

/** Of files that were not there: a user's own are private, those of a project are for everybody in it. */
const MODES = { user: 0o600, project: 0o644 } as const;

export function describeInstall(command: Command): void {
  command.argument('[client]', `${CLIENTS.map(({ name }) => name).join(', ')}; without one, what is there`);
  withAgent(
    withScope(command),
    'the name under which others hand work to it; default the name of the client, or with --server whose token it is',
  )
    .option('--no-hooks', 'leave its hooks alone')
    .option('--no-command', 'write no /handoff and /pickup')
    .option('--check', 'see whether what was installed is still there and runs');
  withServer(withJson(withDataDir(command)));
  const exits = [ExitCode.Failed, ExitCode.Usage, ExitCode.NotAllowed, ExitCode.Conflict];
  acting(command, exits, async (output, name: string | undefined, flags: InstallFlags) => {
    const client = name === undefined ? undefined : clientNamed(name);
    if (flags.check) return check(client ? [client] : CLIENTS, flags, output);
    if (client) return install(client, flags, output);
    const [lonely] = [flags.dryRun && '--dry-run', (flags.server ?? flags.token) && '--server'].filter(
      Boolean,
    );
    if (lonely) throw wrongUsage(`${lonely} needs a client`, NAME_ONE);
    return list(flags, output);
  });
}

const NAME_ONE = 'Name one, as in "handover install claude"';

async function install(client: Client, flags: InstallFlags, output: Output): Promise<ExitCode> {
  const folder = ownDataFolder(flags);
  const place = elsewhereFor(client, flags, readRecord(folder));
  if (!place) requireUnixSockets();
  const asked = place && (await askWho(place));
  if (asked?.kind === 'refused') throw asked.why;
  if (flags.dryRun) {
    report(planned(client, flags, asked, true), flags, output);
    return ExitCode.Done;
  }
  openDataFolder(folder, 'local');
  const outcome = await withRecordLock(folder, () => put(client, flags, asked, folder));
  report(outcome, flags, output);
  return ExitCode.Done;
}

/** The plan, or a failure that names every problem. */
function planned(client: Client, flags: InstallFlags, asked: Asked | undefined, dryRun: boolean): Outcome {
  const known = readRecord(ownDataFolder(flags));
  const wanted = wantedFor(client, flags, known, asked?.kind === 'known' ? asked.agent : undefined);
  const who = identityOf(client, wanted);
  const found = client.part?.(wanted);
  const part = found && planAdd(found, who, known, wanted.env);
  const files = planPuts(piecesOf(client, wanted, leftOut(flags)), who, known);
  const problems = part && 'why' in part ? [part, ...files.problems] : files.problems;
  refuseProblems(problems);
  const notes = [
    ...serverNotes(wanted.launch.elsewhere?.server, asked),
    ...client.notes(wanted.scope),
    ...(isShortLived(wanted.launch.script) ? [SHORT_LIVED] : []),
  ];
  return { client, wanted, files, part: part && 'why' in part ? undefined : part, dryRun, notes };
}

const SHORT_LIVED =
  'This command runs from the cache of npx, which is emptied now and then: install it with npm, and run this again.';

function put(client: Client, flags: InstallFlags, asked: Asked | undefined, folder: string): Outcome {
  const outcome = planned(client, flags, asked, false);
  const { wanted, part } = outcome;
  const pieces = piecesOf(client, wanted, leftOut(flags));
  const who = identityOf(client, wanted);
  const again = `"handover install ${client.name}" again goes on, "handover uninstall ${client.name}" takes it back`;
  const job = {
    folder,
    part,
    whole: true,
    again,
    plan: (known: Parameters<typeof planPuts>[2]) => planPuts(pieces, who, known),
  };
  return { ...outcome, files: applyPuts(job, MODES[wanted.scope]) };
}

const leftOut = ({ hooks, command }: InstallFlags): readonly PieceKind[] => [
  ...(hooks ? [] : (['hook'] as const)),
  ...(command ? [] : (['command'] as const)),
];

function report(outcome: Outcome, { json }: InstallFlags, output: Output): void {
  if (json) output.out(reportJson(outcome));
  else reportText(outcome, output);
}
