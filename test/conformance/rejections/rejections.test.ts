/**
 * Every cell of docs/reference/rejections.md, asked of a real server over a real socket. The page comes from models that share no
 * code with the server. After a restart the sessions are the same, and everything that was refused is refused again.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GrpcClient } from '../../kit/grpc-client.js';
import { TestServer } from '../../kit/test-server.js';
import type { Table } from '../../model/rejections/table.js';
import { tables } from '../../model/rejections/tables.js';
import { OK, type Witness } from '../../model/rejections/walk.js';
import { type AnyMove, ask, OWNER, policyOf, SILENCE_MS, startOf } from './asking.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
const AT_ONCE = 32;

interface Question {
  readonly witness: Witness<AnyMove>;
  readonly where: string;
  /** The first of its cell is asked after the restart, too. */
  readonly isFirst: boolean;
}

/** A session, what leads to its state, and what is asked there: all that is refused, or one thing that is accepted. */
interface Session {
  readonly id: string;
  readonly table: Table;
  readonly policy: string;
  readonly path: readonly AnyMove[];
  readonly questions: readonly Question[];
}

function sessionsOf(table: Table, policy: string): readonly Session[] {
  const refused = new Map<string, Session & { readonly questions: Question[] }>();
  const accepted: Session[] = [];
  for (const { message, sender, cells } of table.rows)
    for (const [column, cell] of cells)
      for (const witness of cell) {
        const { path, outcome } = witness;
        const where = `${table.mode}, ${table.under ?? 'policy.default'}: ${message} from ${sender}, ${column}`;
        const isFirst = cell.find((other) => other.outcome === outcome) === witness;
        const question = { witness, where, isFirst };
        const session = { id: randomUUID(), table, policy, path };
        if (outcome === OK) accepted.push({ ...session, questions: [question] });
        else {
          const key = JSON.stringify(path);
          const known = refused.get(key) ?? { ...session, questions: [] };
          known.questions.push(question);
          refused.set(key, known);
        }
      }
  return [...refused.values(), ...accepted];
}

const isTime = ({ type }: AnyMove) => type === 'expiry' || type === 'silence';
const silences = ({ path }: Session): number => path.filter(({ type }) => type === 'silence').length;
const expires = ({ path }: Session) => path.some(({ type }) => type === 'expiry');
/** What is said before the first silence, between it and the next, and so on. */
function partsOf({ path }: Session): readonly (readonly AnyMove[])[] {
  const parts: AnyMove[][] = [[]];
  for (const move of path)
    if (move.type === 'silence') parts.push([]);
    else parts.at(-1)?.push(move);
  return parts;
}
const isAccepted = ({ questions }: Session) => questions.some(({ witness }) => witness.outcome === OK);

describe('what the page says is refused, and when', () => {
  let server: TestServer;
  let client: GrpcClient;
  let sessions: readonly Session[];

  beforeAll(async () => {
    server = await TestServer.start({ flags: { dev: true } });
    client = new GrpcClient(server.grpc);
    sessions = tables().flatMap((table, index) =>
      sessionsOf(table, policyOf(table, `policy.t${index}`)?.policyId ?? ''),
    );
    for (const [index, table] of tables().entries()) {
      const policy = policyOf(table, `policy.t${index}`);
      if (!policy) continue;
      const policyDescriptor = { ...policy, rules: JSON.stringify(policy.rules), registeredAtUnixMs: 0n };
      expect(await client.call('registerPolicy', { policyDescriptor }, OWNER)).toMatchObject({
        ok: true,
        error: '',
      });
    }
  });
  afterAll(async () => {
    client.close();
    await server.remove();
  });

  const each = async <T>(all: readonly T[], work: (one: T) => Promise<void>) => {
    const queue = all.values();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const one of queue) await work(one);
      }),
    );
  };
  const begin = async (session: Session) => {
    const { id, table, policy } = session;
    const ttlMs = expires(session) ? silences(session) * (SILENCE_MS + 1) + MINUTE : DAY;
    expect((await client.send(startOf(table, id, policy, ttlMs))).error).toBeUndefined();
  };
  const say = async ({ id, table }: Session, moves: readonly AnyMove[]) => {
    for (const move of moves) if (!isTime(move)) expect(await ask(client, table, id, move)).toBe(OK);
  };
  /** Each silence is waited for by all together. A session with few of them begins later, so that none comes after its last one. */
  const prepare = async () => {
    const most = Math.max(...sessions.map(silences));
    for (let round = 0; round <= most; round++) {
      if (round > 0) server.advance(SILENCE_MS + 1);
      await each(sessions, async (session) => {
        const part = silences(session) - (most - round);
        if (part < 0) return;
        if (part === 0) await begin(session);
        await say(session, partsOf(session)[part] ?? []);
      });
    }
  };
  /** Each answer that is not that of the page. */
  const differences = async (asked: readonly Session[], isAsked = (_: Question) => true) => {
    const found: string[] = [];
    await each(asked, async ({ id, table, questions }) => {
      for (const { witness, where } of questions.filter(isAsked)) {
        const { move, outcome } = witness;
        const answer = await ask(client, table, id, move);
        if (answer !== outcome) found.push(`${where}: page ${outcome}, server ${answer}`);
      }
    });
    return found;
  };
  const snapshot = async () => {
    const seen: unknown[] = [];
    await each(
      sessions.map((session, index) => [session, index] as const),
      async ([{ id }, index]) => {
        const { metadata } = await client.call('getSession', { sessionId: id }, OWNER);
        seen[index] = [metadata, await client.history(id, OWNER)];
      },
    );
    return seen;
  };

  it('is what the server answers, at once and after a restart', async () => {
    await prepare();
    server.advance(MINUTE + 1);
    expect(await differences(sessions)).toEqual([]);
    const before = await snapshot();
    client.close();
    await server.restart();
    client = new GrpcClient(server.grpc);
    expect(await snapshot()).toEqual(before);
    const refusing = sessions.filter((session) => !isAccepted(session));
    expect(await differences(refusing, ({ isFirst }) => isFirst)).toEqual([]);
    const questions = sessions.flatMap((session) => session.questions);
    expect(questions.length).toBeGreaterThan(3_000);
    expect(sessions.length).toBeGreaterThan(300);
  }, 240_000);
});
