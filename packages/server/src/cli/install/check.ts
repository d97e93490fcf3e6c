/** `handover install --check`: whether what was installed is still there, and how old our knowledge of each client is. */
import { ExitCode } from '../conventions/exit-code.js';
import { dataFolder } from '../conventions/flags.js';
import type { Output } from '../conventions/output.js';
import { printable } from '../conventions/printable.js';
import type { Client } from './client.js';
import type { ScopeFlags } from './options.js';
import { findProgram, runProgram } from './programs.js';
import { readRecord } from './record.js';
import { type Standing, standingOf } from './state.js';

export function check(clients: readonly Client[], flags: ScopeFlags, { out }: Output): ExitCode {
  const known = readRecord(dataFolder(flags));
  const checked = clients.map((client) => ({
    client: client.name,
    ...versionOf(client),
    facts: client.facts,
    installed: standingOf(client, flags, known),
  }));
  if (flags.json) out(`${JSON.stringify({ clients: checked }, null, 2)}\n`);
  else for (const one of checked) out(`${linesOf(one).join('\n')}\n`);
  const isWell = checked.every(({ installed }) => installed.every(({ state }) => state === 'ok'));
  return isWell ? ExitCode.Done : ExitCode.Failed;
}

interface Checked {
  readonly client: string;
  readonly version?: string;
  readonly olderFacts?: boolean;
  readonly facts: Client['facts'];
  readonly installed: readonly Standing[];
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

function linesOf({ client, version, olderFacts, facts, installed }: Checked): readonly string[] {
  const found = version === undefined ? 'version not known' : `version ${version}`;
  const age = olderFacts ? '; that is older than the version here' : '';
  const head = `${client}: ${found}. What we know of its files was read on ${facts.read} in ${facts.in}${age}.`;
  const rows = installed.map(
    ({ state, what, scope, file }) => `  ${state.padEnd(9)} ${what.padEnd(18)} ${scope.padEnd(8)} ${file}`,
  );
  const isBad = installed.some(({ state }) => state !== 'ok');
  const fix = `  "handover install ${client}" writes what is missing or outdated; what was changed is yours to decide.`;
  return [head, ...rows, ...(isBad ? [fix] : [])].map(printable);
}
