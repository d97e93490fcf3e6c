/** `handover install` alone: which assistants are here, and which of them know of this server. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { ExitCode } from '../conventions/exit-code.js';
import { ownDataFolder } from '../conventions/flags.js';
import type { Output } from '../conventions/output.js';
import { printable } from '../conventions/printable.js';
import type { Client, Surroundings } from './client.js';
import { CLIENTS } from './clients.js';
import type { ScopeFlags } from './options.js';
import { findProgram } from './programs.js';
import { readRecord } from './record.js';

export function list(flags: ScopeFlags, { out }: Output): ExitCode {
  const known = readRecord(ownDataFolder(flags));
  const around = { home: homedir(), project: process.cwd(), env: process.env };
  const clients = CLIENTS.map((client) => {
    const own = known.filter((one) => one.client === client.name);
    const scopes = [...new Set(own.map(({ scope }) => scope))];
    const installed = scopes.map((scope) => {
      const { agent = client.name, elsewhere } = own.findLast((one) => one.scope === scope) ?? {};
      return { scope, agent, ...(elsewhere && { server: elsewhere.server }) };
    });
    const missing = isProgramMissing(client, around);
    return { client: client.name, title: client.title, here: isHere(client, around), missing, installed };
  });
  if (flags.json) out(`${JSON.stringify({ clients }, null, 2)}\n`);
  else for (const row of clients) out(`${lineOf(row)}\n`);
  return ExitCode.Done;
}

const isHere = (client: Client, around: Surroundings): boolean =>
  existsSync(client.folder(around)) || findProgram(client.program, around.env) !== undefined;

/** Only this program changes what the client keeps for its user. */
const isProgramMissing = ({ part, program }: Client, { env }: Surroundings): string | undefined =>
  part && findProgram(program, env) === undefined ? program : undefined;

interface Row {
  readonly client: string;
  readonly title: string;
  readonly here: boolean;
  /** The program without which it can be connected for one project alone. */
  readonly missing: string | undefined;
  readonly installed: readonly {
    readonly scope: string;
    readonly agent: string;
    readonly server?: string;
  }[];
}

function lineOf({ client, title, here, missing, installed }: Row): string {
  const states = installed.map(({ scope, agent, server }) => {
    const to = server === undefined ? '' : ` to ${server}`;
    return `installed (${scope})${to}${agent === '' ? '' : ` as agent ${agent}`}`;
  });
  const connects =
    missing === undefined
      ? `"handover install ${client}" connects it`
      : `${missing} is not on PATH, so "handover install ${client} --scope project" connects it for one project`;
  const open = here ? `found here; ${connects}` : 'not found here';
  return printable(`${client.padEnd(8)} ${title.padEnd(12)} ${states.join(', ') || open}`);
}
