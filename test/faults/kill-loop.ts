/**
 * Kills the server with SIGKILL at random moments under load, and checks from outside that every promise was kept:
 *
 * I1 accepted: in the history, bytes and order equal     I2 rejected: not in it
 * I3 unknown: resolved by a retry, at most once in it     I4 no gap, no repeat (streamed ordinals, and `handover verify`)
 * I19 a retry of what had been stored is answered `duplicate`
 *
 * A run that killed nothing, acknowledged nothing or never left a client in doubt is invalid, not passed.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../kit/free-port.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { BINARY } from '../kit/handover-process.js';
import { startServerProcess } from '../kit/server-process.js';
import { type Ledger, newLedger, runClient } from './ledger-client.js';

export interface KillLoopResult {
  readonly kills: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly unknowns: number;
  readonly duplicates: number;
  readonly sessions: number;
  readonly startP50Ms: number;
  readonly startMaxMs: number;
  readonly violations: readonly string[];
}

export async function killLoop(options: {
  kills: number;
  clients: number;
  maxLifeMs: number;
}): Promise<KillLoopResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'handover-crash-'));
  const port = await freePort();
  const ledger = newLedger();
  const starts: number[] = [];
  let client: GrpcClient = new GrpcClient(`127.0.0.1:${port}`);
  let stop = false;
  let server = await startServerProcess({ dataDir, port });
  const workers = Array.from({ length: options.clients }, () =>
    runClient(
      () => client,
      ledger,
      () => stop,
    ),
  );
  const failure = Promise.all(workers).catch((thrown: unknown) => {
    stop = true;
    return thrown as Error;
  });
  for (let kills = 0; kills < options.kills && !stop; kills++) {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * options.maxLifeMs));
    await server.stop('SIGKILL');
    client.close();
    server = await startServerProcess({ dataDir, port });
    starts.push(server.startedInMs);
    client = new GrpcClient(`127.0.0.1:${port}`);
  }
  stop = true;
  const failed = await failure;
  const violations = failed instanceof Error ? [failed.message] : await violationsOf(ledger, client);
  client.close();
  await server.stop('SIGTERM');
  violations.push(...verifyOffline(dataDir));
  rmSync(dataDir, { recursive: true, force: true });
  return summary(ledger, starts, violations);
}

async function violationsOf(ledger: Ledger, client: GrpcClient): Promise<string[]> {
  const violations: string[] = [];
  const payloads = new Map(ledger.lines.map((line) => [line.messageId, line]));
  for (const [sessionId, accepted] of ledger.sessions) {
    const history = await client.history(sessionId, 'owner');
    const ids = history.map(({ messageId }) => messageId);
    if (ids.join() !== accepted.join())
      violations.push(`session ${sessionId}: history ${ids.join()} is not ${accepted.join()}`);
    for (const envelope of history)
      if (Buffer.from(envelope.payload).toString('hex') !== payloads.get(envelope.messageId)?.payload)
        violations.push(`session ${sessionId}: the payload of ${envelope.messageId} changed`);
  }
  return violations;
}

/** The command line, as an operator would run it: chain, replay and list tables. */
function verifyOffline(dataDir: string): readonly string[] {
  try {
    execFileSync(process.execPath, [BINARY, 'verify', dataDir], { stdio: 'pipe' });
    return [];
  } catch (thrown) {
    return [`handover verify: ${String((thrown as { stdout?: Buffer }).stdout ?? thrown)}`];
  }
}

function summary(ledger: Ledger, starts: number[], violations: readonly string[]): KillLoopResult {
  const sorted = [...starts].sort((a, b) => a - b);
  const of = (outcome: string) => ledger.lines.filter((line) => line.outcome === outcome).length;
  return {
    kills: starts.length,
    accepted: of('accepted'),
    rejected: of('rejected'),
    unknowns: ledger.unknowns,
    duplicates: ledger.lines.filter(({ wasDuplicate }) => wasDuplicate).length,
    sessions: ledger.sessions.size,
    startP50Ms: Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0),
    startMaxMs: Math.round(sorted.at(-1) ?? 0),
    violations,
  };
}
