/**
 * Notes of former owners, as they reach the work that they are about: whoever has it accepts, and what the note says is an
 * entry of it from then on. It stands in its brief, is found by searches and goes with it to the next owner.
 */
import { named, noteAbout, type Step, type WorklogState, WorklogStatus } from '@handover/core';
import type { Engine } from '@handover/engine';
import type { Principal } from '../../auth/principal.js';
import { type EntrySource, readEntries } from './context-entries.js';
import type { HandoffDependencies } from './dependencies.js';
import { derivedId } from './ids.js';
import { payloadOf } from './payloads.js';
import { worklogRef } from './worklogs.js';

/** Its sender says it in one call. */
const MOST_ENTRIES = 20;
const TITLE = '## Brief\n';

/** The work that it is about, where that is the agent's and open. */
export async function notedWork(
  { engine }: { readonly engine: Pick<Engine, 'query'> },
  { tenant, agent }: Pick<Principal, 'tenant' | 'agent'>,
  note: WorklogState | undefined,
): Promise<WorklogState | undefined> {
  const about = note && noteAbout(note);
  if (about === undefined) return undefined;
  const state = (await engine.query(worklogRef(tenant, about)))?.state;
  return state?.owner === agent && state.status === WorklogStatus.Active ? state : undefined;
}

/** What it says. One text alone has no title. */
export async function noteText(
  source: EntrySource,
  tenant: string,
  { key, lastNumber }: WorklogState,
): Promise<string> {
  const range = { after: 0, upTo: lastNumber };
  const { entries } = await readEntries(source, worklogRef(tenant, key), range, MOST_ENTRIES);
  const text = entries.map(({ content }) => content).join('\n\n');
  return text.startsWith(TITLE) && !text.includes('\n## ') ? text.slice(TITLE.length) : text;
}

/** Whoever reads on must see where the words of another end. */
const quotedLines = (text: string): string => text.replace(/^(?!$)/gm, '> ').replace(/^$/gm, '>');

/** None: it is no note, or its reader has not got the work. */
export async function noteSteps(
  deps: HandoffDependencies,
  principal: Principal,
  note: WorklogState | undefined,
  { handoffId, attachments }: { readonly handoffId: string; readonly attachments: number },
): Promise<readonly Step<'worklog'>[]> {
  const work = await notedWork(deps, principal, note);
  if (!work || !note) return [];
  const { tenant, agent } = principal;
  const from = `Note from ${named(note.owner)}, who had this work before:`;
  const sent =
    attachments > 0 ? `\n\n${attachments} attached: readContext with its handoffId and attachment 1` : '';
  const content = `${from}\n${quotedLines(await noteText(deps, tenant, note))}${sent}`;
  const entry = { contextType: 'message', content };
  const metadata = { note: 'brief', noteFrom: note.owner, handoffId };
  const entryId = derivedId([tenant, agent, 'note', note.id], deps.codec);
  return [
    {
      stream: worklogRef(tenant, work.key),
      command: {
        kind: 'addContext',
        entryId,
        contextType: entry.contextType,
        payload: payloadOf({ ...entry, metadata }, deps.codec),
        lifetimes: deps.settingsNow().lifetimes,
        kinds: ['brief'],
      },
      messageId: entryId,
    },
  ];
}
