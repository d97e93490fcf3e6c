/**
 * `handover cancel KEY|HANDOFF_ID`: a person takes back what an assistant of theirs, or `md import`, offered or left. It is done in
 * the name of whoever offered it, who keeps the work, and the reason on record says that a person did it. The server of the
 * data folder does it, and is started when it does not run.
 */
import { findOffer, isFields, named, offersOf, shellLine } from '@handover/core';
import type { Command } from 'commander';
import { DEFAULT_TENANT } from '../services/dependencies.js';
import { parseHandoffId } from '../services/handoffs/ids.js';
import type { WaitingSource } from '../services/handoffs/waiting/look.js';
import { worklogRef } from '../services/handoffs/worklogs.js';
import { sessionRef } from '../services/stream-refs.js';
import { callTool } from './call-tool.js';
import { withFolder } from './capture/look-at-folder.js';
import { acting } from './conventions/acting.js';
import { ExitCode } from './conventions/exit-code.js';
import { CommandFailure, conflict, notFound, refused, wrongUsage } from './conventions/failure.js';
import {
  type DataFlags,
  type JsonFlags,
  namedFolder,
  ownDataFolder,
  withDataDir,
  withJson,
} from './conventions/flags.js';
import type { Output } from './conventions/output.js';
import { requireData } from './require-data.js';
import { requireUnixSockets } from './unix-sockets.js';

type Flags = DataFlags & JsonFlags & { readonly reason?: string; readonly close?: boolean };

interface Offered {
  readonly by: string;
  readonly sessionKey?: string;
  /** Who had it before the one that has it now. */
  readonly before?: string;
  readonly named: { readonly sessionKey: string } | { readonly handoffId: string };
}

const MAX_REASON = 4_096;
const BY_PERSON = 'withdrawn by the person, with "handover cancel"';

export function describeCancel(command: Command): void {
  command
    .argument('<what>', 'the key of the working session, or the id of a handoff')
    .option('--reason <text>', 'why, for the record')
    .option('--close', 'also close the working session, as dropped: nobody is shown it any more');
  withJson(withDataDir(command));
  const exits = [
    ...[ExitCode.Failed, ExitCode.Usage, ExitCode.NotFound],
    ...[ExitCode.NotAllowed, ExitCode.NoServer, ExitCode.Conflict],
  ];
  acting(command, exits, (output, what: string, flags: Flags) => cancel(what, flags, output));
}

async function cancel(what: string, flags: Flags, { out }: Output): Promise<ExitCode> {
  requireUnixSockets();
  const { reason = BY_PERSON, close = false, json } = flags;
  if (reason.length > MAX_REASON) throw wrongUsage(`--reason may have ${MAX_REASON} characters`);
  const folder = ownDataFolder(flags);
  await requireData(folder);
  const offered = await withFolder(folder, Number.POSITIVE_INFINITY, (look) => find(look, what));
  if (!offered) throw notFound(`there is no working session and no handoff ${named(what)} in ${folder}`);
  const { by, sessionKey } = offered;
  if (close && sessionKey === undefined) throw refused(`${named(what)} is of no working session`);
  const tool = (name: string, args: object) => callTool(folder, { agent: by }, name, args);
  const withdraw = () =>
    tool('cancelHandoff', { ...offered.named, reason }).catch(whereItWent(offered, flags));
  const ids = await withdrawn(withdraw, close);
  if (close) await tool('closeSession', { sessionKey, outcome: 'abandoned' });
  const said = { ...(sessionKey !== undefined && { sessionKey }), owner: by, withdrawn: ids, closed: close };
  out(json ? `${JSON.stringify(said)}\n` : `${words(named(sessionKey ?? what), named(by), close)}\n`);
  return ExitCode.Done;
}

/** Nothing is left to withdraw where somebody has it already: that is what the person must know. */
const whereItWent =
  ({ by, before, sessionKey }: Offered, flags: DataFlags) =>
  (thrown: unknown): never => {
    if (!(thrown instanceof CommandFailure) || thrown.exit !== ExitCode.Conflict) throw thrown;
    if (before === undefined || sessionKey === undefined) throw thrown;
    const folder = namedFolder(flags);
    const where = folder === undefined ? [] : [['--data-dir', folder] as const];
    const back = shellLine('take', [sessionKey], [['--to', before], ['--now'], ...where]);
    throw conflict(
      `${thrown.what}: ${named(by)} has it, who got it from ${named(before)}`,
      `To give it back to ${named(before)}: ${back}`,
    );
  };

/** Whoever wants it closed does not mind that there is nothing to withdraw any more. */
async function withdrawn(act: () => ReturnType<typeof callTool>, close: boolean): Promise<readonly string[]> {
  try {
    const { withdrawn: ids, handoff } = await act();
    if (Array.isArray(ids)) return ids.map(String);
    return isFields(handoff) ? [String(handoff.handoffId)] : [];
  } catch (thrown) {
    if (close && thrown instanceof CommandFailure && thrown.exit === ExitCode.Conflict) return [];
    throw thrown;
  }
}

const words = (what: string, by: string, close: boolean): string =>
  close
    ? `${what} is withdrawn and closed. resume with its key opens it again in ${by}.`
    : `${what} is withdrawn: nobody can take it any more. ${by} keeps it, and goes on with resume; --close closes it.`;

async function find({ engine }: WaitingSource, what: string): Promise<Offered | undefined> {
  const work = (await engine.query(worklogRef(DEFAULT_TENANT, what)))?.state;
  const before = work?.transfers.at(-1)?.from;
  if (work)
    return {
      ...{ by: work.owner, sessionKey: what, named: { sessionKey: what } },
      ...(before !== undefined && { before }),
    };
  const id = parseHandoffId(what);
  const session = id && (await engine.query(sessionRef(DEFAULT_TENANT, id.sessionId)))?.state;
  const offer = session && findOffer(offersOf(session), id.offerId);
  if (!session || !offer) return undefined;
  const sessionKey = session.binding?.worklog;
  return {
    by: offer.offeredBy,
    ...(sessionKey !== undefined && { sessionKey }),
    named: { handoffId: what },
  };
}
