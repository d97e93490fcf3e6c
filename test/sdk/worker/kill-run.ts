/**
 * Offers to a worker that is killed with SIGKILL at random moments, and what came of them, read from outside:
 *
 * K1. The server's log has exactly one answer to each offer.
 * K2. A decision is never made again after its answer was acknowledged.
 * K3. Each new run of the handler has the next attempt; the same attempt has another run only with more context.
 * K4. By the server's history a decision saw every context that came before its answer, or its answer said how many it did
 *     not see.
 *
 * A run in which no kill interrupted a decision shows nothing, and is invalid.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Auth, HandoffSession, MacpClient } from 'macp-sdk-typescript';
import { startServerProcess } from '../../kit/server-process.js';
import { until } from '../../kit/until.js';

export interface KillRunResult {
  readonly offers: number;
  readonly kills: number;
  readonly answered: number;
  /** Runs of the handler, and how many of them repeated one that a kill had cut off. */
  readonly decisions: number;
  readonly repeated: number;
  readonly mostAttempts: number;
  /** Answers that the server had taken when a kill came before their acknowledgement. */
  readonly unacknowledged: number;
  /** Answers whose decision had seen every context that came before them. */
  readonly informed: number;
  /** Those that said that they had not, and those whose context came after them. */
  readonly saidSo: number;
  readonly cameLate: number;
  readonly seconds: number;
  readonly violations: readonly string[];
}

interface Line {
  readonly event: 'decide' | 'answered';
  readonly sessionId: string;
  readonly attempt: number;
  readonly contexts?: number;
  /** Of an answer: how many contexts it says came before it without having been seen. */
  readonly unseen?: number;
}

/** A program that serves the offers to an agent; its arguments are the address, the agent, the journal and the log. */
export interface WorkerProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export const TYPESCRIPT: WorkerProgram = { command: process.execPath, args: [pathOf('process.mjs')] };

export const pythonWorker = (interpreter: string): WorkerProgram => ({
  command: interpreter,
  args: [pathOf('../../../python/tests/worker_process.py')],
  env: { PYTHONPATH: pathOf('../../../python/src') },
});

export async function killRun(options: {
  readonly offers: number;
  readonly kills: number;
  readonly maxLifeMs: number;
  readonly folder: string;
  readonly program?: WorkerProgram;
}): Promise<KillRunResult> {
  const { offers, kills, maxLifeMs, folder, program = TYPESCRIPT } = options;
  const began = performance.now();
  const log = join(folder, 'decisions.jsonl');
  const server = await startServerProcess({ dataDir: join(folder, 'data') });
  const client = new MacpClient({ address: server.grpc, auth: Auth.devAgent('alice') });
  const workers: ChildProcess[] = [];
  const sessions: HandoffSession[] = [];
  try {
    for (let life = 0; life <= kills; life++) {
      const worker = await startWorker(program, [server.grpc, 'bob', join(folder, 'journal'), log]);
      workers.push(worker);
      const share = Math.ceil((offers * (life + 1)) / (kills + 1)) - sessions.length;
      const made = offerAll(client, share);
      if (life === kills) {
        sessions.push(...(await made));
        await until(
          () => openOf(sessions),
          (open) => open === 0,
          { timeoutMs: 120_000, everyMs: 200 },
        );
        worker.kill('SIGTERM');
      } else {
        await sleep(maxLifeMs * (0.1 + 0.9 * Math.random()));
        await aDecision(log);
        worker.kill('SIGKILL');
        sessions.push(...(await made));
        await openOf(sessions);
      }
      if (isRunning(worker)) await once(worker, 'exit');
    }
  } finally {
    for (const worker of workers) if (isRunning(worker)) worker.kill('SIGKILL');
    client.close();
    await server.stop('SIGTERM');
  }
  const result = judge(sessions, linesOf(log));
  rmSync(folder, { recursive: true, force: true });
  return { offers, kills, ...result, seconds: Math.round((performance.now() - began) / 1_000) };
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;

/** Waits for a moment in which a decision runs, as long as there is something to decide. */
async function aDecision(log: string): Promise<void> {
  const end = performance.now() + 3_000;
  while (performance.now() < end) {
    const lines = linesOf(log);
    const answered = new Set(
      lines.flatMap(({ event, sessionId }) => (event === 'answered' ? sessionId : [])),
    );
    if (lines.slice(-8).some(({ sessionId }) => !answered.has(sessionId))) return;
    await sleep(5);
  }
}

async function startWorker({ command, args, env }: WorkerProgram, more: readonly string[]) {
  const worker = spawn(command, [...args, ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  await once(worker.stdout, 'data');
  return worker;
}

/** Some offers at a time, each with its context right after it. */
async function offerAll(client: MacpClient, count: number): Promise<readonly HandoffSession[]> {
  const sessions: HandoffSession[] = [];
  const offerOn = async () => {
    while (sessions.length < count) {
      const session = new HandoffSession(client);
      sessions.push(session);
      await session.start({ intent: 'x', participants: ['bob'], ttlMs: 3_600_000 });
      await session.offer({ handoffId: 'h1', targetParticipant: 'bob' });
      await session.sendContext({ handoffId: 'h1', contentType: 'text/plain', context: Buffer.from('x') });
    }
  };
  await Promise.all(Array.from({ length: 8 }, offerOn));
  return sessions;
}

/** Ends what is answered, as an owner does, and counts what is not. */
async function openOf(sessions: readonly HandoffSession[]): Promise<number> {
  let open = 0;
  for (const session of sessions.filter(({ projection }) => !projection.isCommitted)) {
    const projection = await session.sync();
    if (projection.getHandoff('h1')?.disposition === 'offered') open++;
    else await session.commit();
  }
  return open;
}

function linesOf(log: string): readonly Line[] {
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Line);
}

function judge(sessions: readonly HandoffSession[], lines: readonly Line[]) {
  const violations: string[] = [];
  const bySession = new Map<string, Line[]>(sessions.map(({ sessionId }) => [sessionId, []]));
  for (const line of lines) bySession.get(line.sessionId)?.push(line);
  let [answered, repeated, mostAttempts, unacknowledged] = [0, 0, 0, 0];
  let [informed, saidSo, cameLate] = [0, 0, 0];
  for (const { sessionId, projection } of sessions) {
    const answers = projection.transcript.filter(({ messageType }) => /Accept|Decline/.test(messageType));
    if (answers.length === 1) answered++;
    else violations.push(`${sessionId}: ${answers.length} answers`);
    const of = bySession.get(sessionId) ?? [];
    const acknowledged = of.findIndex(({ event }) => event === 'answered');
    if (acknowledged === -1) unacknowledged++;
    else if (acknowledged !== of.length - 1) violations.push(`${sessionId}: more after its acknowledgement`);
    const decisions = of.filter(({ event }) => event === 'decide');
    violations.push(...flawsOf(decisions).map((flaw) => `${sessionId}: ${flaw}`));
    const attempts = decisions.at(-1)?.attempt ?? 0;
    const contexts = projection.contexts.get('h1') ?? [];
    const inTime = contexts.filter(({ late }) => !late).length;
    const unseen = inTime - (decisions.at(-1)?.contexts ?? 0);
    const said = of[acknowledged]?.unseen;
    if (inTime < contexts.length) cameLate++;
    if (unseen === 0) informed++;
    if (unseen < 0) violations.push(`${sessionId}: decided with more than the server has`);
    if (said !== undefined && said !== unseen)
      violations.push(`${sessionId}: ${unseen} contexts were not seen, and the answer said ${said}`);
    if (unseen > 0 && said === unseen) saidSo++;
    repeated += attempts - 1;
    mostAttempts = Math.max(mostAttempts, attempts);
  }
  const decisions = lines.filter(({ event }) => event === 'decide').length;
  const counts = { answered, decisions, repeated, mostAttempts, unacknowledged };
  return { ...counts, informed, saidSo, cameLate, violations };
}

function flawsOf(decisions: readonly Line[]): readonly string[] {
  const flaws: string[] = [];
  let [attempt, contexts] = [0, 0];
  for (const line of decisions) {
    const more = line.contexts ?? 0;
    if (line.attempt !== attempt + 1 && !(line.attempt === attempt && more > contexts))
      flaws.push(`attempt ${line.attempt} with ${more} contexts follows ${attempt} with ${contexts}`);
    [attempt, contexts] = [line.attempt, more];
  }
  return flaws;
}
