/** `handover install --check`: whether what was installed is still there, and how old our knowledge of each client is. */
import { ExitCode } from '../conventions/exit-code.js';
import { ownDataFolder } from '../conventions/flags.js';
import type { Output } from '../conventions/output.js';
import { printable } from '../conventions/printable.js';
import { type Asked, askWho } from '../remote/ask-who.js';
import type { Client } from './client.js';
import type { ScopeFlags } from './options.js';
import { findProgram, runProgram } from './programs.js';
import { type Insertion, readRecord } from './record.js';
import { scopeWords } from './server-notes.js';
import { type Standing, standingOf } from './state.js';

export async function check(
  clients: readonly Client[],
  flags: ScopeFlags,
  { out }: Output,
): Promise<ExitCode> {
  const known = readRecord(ownDataFolder(flags));
  const checked: Checked[] = [];
  for (const client of clients) {
    const servers = await serversOf(client, known);
    checked.push({
      client: client.name,
      ...versionOf(client),
      facts: client.facts,
      installed: standingOf(client, flags, known),
      ...(servers.length > 0 && { servers }),
    });
  }
  if (flags.json) out(`${JSON.stringify({ clients: checked }, null, 2)}\n`);
  else for (const one of checked) out(`${linesOf(one).join('\n')}\n`);
  const isWell = checked.every(
    ({ installed, servers = [] }) =>
      installed.every(({ state }) => state === 'ok') && servers.every(({ state }) => state !== 'refused'),
  );
  return isWell ? ExitCode.Done : ExitCode.Failed;
}

interface Checked {
  readonly client: string;
  readonly version?: string;
  readonly olderFacts?: boolean;
  readonly facts: Client['facts'];
  readonly installed: readonly Standing[];
  readonly servers?: readonly CheckedServer[];
}

interface CheckedServer {
  readonly server: string;
  readonly state: Asked['kind'];
  readonly agent?: string;
  readonly scopes?: readonly string[];
  readonly why?: string;
}

/** Servers elsewhere that it was connected to, each asked once. */
async function serversOf({ name }: Client, known: readonly Insertion[]): Promise<readonly CheckedServer[]> {
  const places = known.flatMap(({ client, elsewhere }) => (client === name && elsewhere ? [elsewhere] : []));
  const different = new Map(places.map((place) => [JSON.stringify(place), place]));
  return Promise.all(
    [...different.values()].map(async (place) => {
      const { kind, ...said } = await askWho(place).catch((why: Error) => ({
        kind: 'refused' as const,
        why,
      }));
      const { server } = place;
      return 'why' in said
        ? { server, state: kind, why: said.why.message }
        : { server, state: kind, ...said };
    }),
  );
}

function versionOf({ program, facts }: Client): { version?: string; olderFacts?: boolean } {
  const path = findProgram(program, process.env);
  const end = path === undefined ? undefined : runProgram(path, ['--version']);
  const [version] = /\d+\.\d+(?:\.\d+)?/.exec(end?.ok ? end.said : '') ?? [];
  if (version === undefined) return {};
  return { version, ...(facts.version !== undefined && { olderFacts: isNewer(version, facts.version) }) };
}

function isNewer(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => text.split('.').map(Number));
  const at = one?.findIndex((part, index) => part !== (other?.[index] ?? 0)) ?? -1;
  return at >= 0 && (one?.[at] ?? 0) > (other?.[at] ?? 0);
}

function linesOf({
  client,
  version,
  olderFacts,
  facts,
  installed,
  servers = [],
}: Checked): readonly string[] {
  const found = version === undefined ? 'version not known' : `version ${version}`;
  const age = olderFacts ? '; that is older than the version here' : '';
  const head = `${client}: ${found}. What we know of its files was read on ${facts.read} in ${facts.in}${age}.`;
  const rows = installed.map(
    ({ state, what, scope, file }) => `  ${state.padEnd(9)} ${what.padEnd(18)} ${scope.padEnd(8)} ${file}`,
  );
  const none = `  nothing is installed; "handover install ${client}" connects it.`;
  const isBad = installed.some(({ state }) => state !== 'ok');
  const fix = `  "handover install ${client}" writes what is missing or outdated; what was changed is yours to decide.`;
  return [
    head,
    ...(installed.length === 0 ? [none] : rows),
    ...(isBad ? [fix] : []),
    ...servers.map(serverLine),
  ].map(printable);
}

const serverLine = ({ server, agent, scopes = [], why }: CheckedServer): string =>
  `  ${server}: ${why ?? `the token is that of ${agent}, with ${scopeWords(scopes)}`}.`;
