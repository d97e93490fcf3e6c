/** Receipts of a real server: the same bytes after its death, under another key, and for whoever checks them from outside. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import canonicalize from 'canonicalize';
import { afterEach, describe, expect, it } from 'vitest';
import { verifies } from '../conformance/verifies.js';
import { accept, commit, offer, start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { HandoverProcess } from '../kit/handover-process.js';
import { type ServerProcess, startServerProcess } from '../kit/server-process.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

const servers: ServerProcess[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop('SIGKILL');
});

async function serve(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const server = await startServerProcess({ dataDir, env });
  servers.push(server);
  return server;
}
async function handoff(server: ServerProcess): Promise<string> {
  const id = randomUUID();
  const client = new GrpcClient(server.grpc);
  for (const envelope of [start(id), offer(id, 'h1', 'a'), accept(id, 'h1', 'a'), commit(id)]) {
    const ack = await client.send(envelope);
    if (!ack.ok) throw new Error(ack.error?.message);
  }
  client.close();
  return id;
}
async function receipt(server: ServerProcess, sessionId: string, bearer = 'owner'): Promise<string> {
  const client = new GrpcClient(server.grpc, { bearer });
  const { receiptJson } = await client.call('getDecisionReceipt', { sessionId });
  client.close();
  return receiptJson;
}
async function handover(args: readonly string[], options: object = {}) {
  const run = new HandoverProcess(args, options);
  const code = await run.exited;
  return { code, out: run.stdout, err: run.stderr };
}

describe('receipts of a server that is killed', { timeout: 120_000 }, () => {
  it(`${verifies('macp-2026:14.3:same-bytes', 'macp-2026:14.4:well-known')}are what they were, under another key, too`, async () => {
    const folder = temporaryFolder();
    const data = join(folder, 'data');
    const first = await serve(data);
    const id = await handoff(first);
    const text = await receipt(first, id);
    await first.stop('SIGKILL');

    const second = await serve(data);
    expect(await receipt(second, id, 'a')).toBe(text);
    const before = await (await fetch(`${second.http}/.well-known/handover-keys.json`)).json();
    await second.stop('SIGKILL');

    const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const env = { MACP_RECEIPT_SIGNING_KEY: pem, MACP_RECEIPT_SIGNING_KID: 'newer' };
    const third = await serve(data, env);
    expect(await receipt(third, id)).toBe(text);
    const answer = await fetch(`${third.http}/.well-known/handover-keys.json`);
    const jwks = await answer.text();
    const client = new GrpcClient(third.grpc, { bearer: null });
    expect((await client.call('getReceiptKeys', {})).jwksJson).toBe(jwks);
    client.close();
    expect(answer.headers.get('content-type')).toBe('application/jwk-set+json');
    expect(JSON.parse(jwks).keys.map(({ kid }: { kid: string }) => kid)).toEqual([
      'newer',
      before.keys[0].kid,
    ]);
    expect(third.stderr()).not.toContain(pem.split('\n')[1]);

    const newer = await receipt(third, await handoff(third));
    const [old, young, keys] = ['old.json', 'young.json', 'keys.json'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await Promise.all([writeFile(old, text), writeFile(young, newer), writeFile(keys, jwks)]);
    for (const file of [old, young]) {
      const known = await handover(['verify', file, '--key', keys, '--against', data]);
      expect(known, known.err).toMatchObject({
        code: 0,
        out: expect.stringContaining('verdict     attested'),
      });
    }
    // The folder knows its own key, the environment of the server the other one.
    expect((await handover(['verify', old, '--data-dir', data])).code).toBe(0);
    expect((await handover(['verify', young, '--data-dir', data])).code).toBe(2);
    expect((await handover(['verify', young, '--data-dir', data], { env })).code).toBe(0);
    expect((await handover(['keys', '--jwks', '--data-dir', data], { env })).out.trim()).toBe(jwks);
  });

  it(`${verifies('macp-2026:14.5:verify')}are given to the operator by the running server, or made when none runs`, async () => {
    const folder = temporaryFolder();
    const data = join(folder, 'data');
    const server = await serve(data);
    const [running, alone, open] = [await handoff(server), await handoff(server), randomUUID()];
    const client = new GrpcClient(server.grpc);
    await client.send(start(open));
    client.close();
    const asked = (id: string) => handover(['receipt', id, '--format', 'macp', '--data-dir', data]);
    const made = await asked(running);
    expect(made, made.err).toMatchObject({ code: 0 });
    expect(made.out.trim()).toBe(await receipt(server, running));
    expect(await asked(open)).toMatchObject({ code: 3, err: expect.stringContaining('only a resolved one') });
    await server.stop();
    const first = await asked(alone);
    expect(first, first.err).toMatchObject({ code: 0 });
    expect((await asked(alone)).out).toBe(first.out);
    expect(await receipt(await serve(data), alone)).toBe(first.out.trim());

    const piped = await handover(['verify', '-', '--json', '--data-dir', data], { input: first.out });
    expect(JSON.parse(piped.out)).toMatchObject({
      ok: true,
      verdict: 'attested',
      integrity: 'match',
      kind: 'macp-receipt',
    });
    const verdicts = async (text: string, more: readonly string[] = []) => {
      const { code, out } = await handover(['verify', '-', '--json', ...more], { input: text });
      const { ok, verdict, integrity } = JSON.parse(out);
      return [code, ok, verdict, integrity];
    };
    const receiptJson = JSON.parse(first.out);
    const here = ['--data-dir', data];
    const changed = (over: object) => JSON.stringify({ ...receiptJson, ...over }, null, 2);
    expect(await verdicts(changed({}), here)).toEqual([0, true, 'attested', 'match']);
    expect(await verdicts(changed({}))).toEqual([2, false, 'integrity_only', 'match']);
    expect(await verdicts(changed({ attestations: [] }), here)).toEqual([
      2,
      false,
      'integrity_only',
      'match',
    ]);
    expect(await verdicts(changed({ issuer: 'runtime:x' }), here)).toEqual([
      1,
      false,
      'integrity_only',
      'match',
    ]);
    const commitment = { ...receiptJson.commitment, reason: 'x' };
    expect(await verdicts(changed({ commitment }), here)).toEqual([1, false, 'unverified', 'mismatch']);
    expect(await verdicts(changed({ commitment: 1 }), here)).toEqual([
      1,
      false,
      'unverified',
      'cannot_verify',
    ]);
    expect(await verdicts(changed({ receipt_format: 'macp-receipt/2' }), here)).toEqual([
      1,
      false,
      'refused',
      null,
    ]);
    const twice = first.out.replace('{', '{"mode":"x",');
    expect((await verdicts(twice, here)).slice(0, 2)).toEqual([1, false]);
    // Of another session of the same log.
    const { attestations: _, ...body } = receiptJson;
    const foreign = canonicalize({ ...body, session_id: running, attestations: [] }) ?? '';
    expect(await verdicts(foreign, ['--against', data])).toEqual([1, false, 'integrity_only', 'match']);
    expect(await verdicts(first.out, ['--against', data])).toEqual([0, true, 'attested', 'match']);
  });
});
