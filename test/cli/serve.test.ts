/** `handover serve` from start to end, as a process. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifies } from '../conformance/verifies.js';
import { commit, offer, start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { serve } from '../kit/handover-command.js';
import { isRefused } from '../kit/refused.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { until } from '../kit/until.js';

const linesOf = (stderr: string) =>
  stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('serve', () => {
  it('says one line on stdout, with ports that answer, and nothing else until its end', async () => {
    const server = serve(['--dev', '--memory-only']);
    const { grpc, http, store, auth } = await server.ready();
    expect([store, auth]).toEqual(['memory', 'dev']);
    expect(grpc).toMatch(/^127\.0\.0\.1:[1-9]\d*$/);
    expect(http).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    const client = new GrpcClient(grpc);
    expect((await client.send(start(randomUUID()))).ok).toBe(true);
    for (const path of ['/health', '/ready', '/metrics'])
      expect((await fetch(`${http}${path}`)).status).toBe(200);
    client.close();
    expect(await server.stop()).toBe(0);
    expect(server.stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(server.stderr, 'dev mode is said loudly').toMatch(/dev mode/i);
  });

  it('warns of a setting that it does not know, with the one that was meant', async () => {
    const server = serve(['--dev', '--memory-only'], {
      MACP_MESAGE_LIMIT_PER_MINUTE: '5',
      MACP_STRICT_RECOVERY: '1',
    });
    await server.ready();
    expect(server.stderr).toContain('MACP_MESAGE_LIMIT_PER_MINUTE');
    expect(server.stderr).toContain('MACP_MESSAGE_LIMIT_PER_MINUTE');
    expect(server.stderr, 'ignored, and said so').toContain('MACP_STRICT_RECOVERY');
    await server.stop();
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    `${verifies('macp-2026:18:drain')}ends on %s: streams are told, what was accepted is kept`,
    async (signal) => {
      const folder = temporaryFolder();
      const server = serve(['--dev', '--data-dir', folder]);
      const id = randomUUID();
      const { grpc } = await server.ready();
      const client = new GrpcClient(grpc);
      await client.send(start(id));
      const stream = client.stream('a').subscribe(id);
      await stream.atLeast(1);
      const unanswered = Array.from({ length: 50 }, (_, n) =>
        client.send({ ...offer(id, `h${n}`, 'a'), messageId: `m${n}` }),
      );
      const [answers, code] = await Promise.all([Promise.allSettled(unanswered), server.stop(signal)]);
      expect(code).toBe(0);
      expect(await stream.statusName()).toBe('UNAVAILABLE');
      client.close();
      const again = serve(['--dev', '--data-dir', folder]);
      const second = new GrpcClient((await again.ready()).grpc);
      const history = await second.history(id, 'owner');
      const stored = isRefused(history) ? [] : history.map(({ messageId }) => messageId);
      const accepted = answers.flatMap((one) =>
        one.status === 'fulfilled' && one.value.ok ? [one.value.messageId] : [],
      );
      expect(stored.slice(1)).toEqual(accepted);
      second.close();
      expect(await again.stop()).toBe(0);
    },
  );

  it('serves the policies of a directory, as the whole and read-only registry', async () => {
    const folder = join(temporaryFolder(), 'policies');
    mkdirSync(folder);
    const policy = { policy_id: 'policy.file', mode: '*', description: 'd', rules: {}, schema_version: 1 };
    writeFileSync(join(folder, 'a.json'), JSON.stringify(policy));
    const server = serve(['--dev', '--memory-only'], { MACP_POLICIES_DIR: folder });
    const client = new GrpcClient((await server.ready()).grpc);
    const list = await client.ask('listPolicies', { mode: '' }, 'anyone');
    const ids = isRefused(list) ? [] : list.descriptors.map(({ policyId }) => policyId);
    const profiles = ['policy.std.majority', 'policy.std.supermajority', 'policy.std.unanimous'];
    expect(ids).toEqual(['policy.default', 'policy.file', ...profiles]);
    const policyDescriptor = { policyId: 'policy.new', mode: '*', rules: '{}', schemaVersion: 1 };
    expect(await client.ask('registerPolicy', { policyDescriptor }, 'anyone')).toMatchObject({
      status: 'FAILED_PRECONDITION',
    });
    const hello = await client.ask('initialize', { supportedProtocolVersions: ['1.0'] }, undefined);
    expect(hello).toMatchObject({ capabilities: { policyRegistry: { registerPolicy: false } } });
    client.close();
    await server.stop();
  });

  it('takes a folder whose rules stand where they were in 0.1.0, with a warning, and nobody can register them', async () => {
    const folder = join(temporaryFolder(), 'policies');
    mkdirSync(folder);
    const mode = 'macp.mode.handoff.v1';
    const rules = { commitment: { allow_no_target: true } };
    const policy = { policy_id: 'policy.older', mode, description: '', rules, schema_version: 1 };
    writeFileSync(join(folder, 'older.json'), JSON.stringify(policy));
    const server = serve(['--dev', '--memory-only'], { MACP_POLICIES_DIR: folder });
    const client = new GrpcClient((await server.ready()).grpc);
    const id = randomUUID();
    expect(await client.send(start(id, 'owner', { policyVersion: 'policy.older' }))).toMatchObject({
      ok: true,
    });
    // Without an offer: that is what the rule allows.
    const nobody = commit(id, 'owner', { action: 'handoff.declined', outcomePositive: false });
    expect(await client.send(nobody)).toMatchObject({ ok: true });
    client.close();
    await server.stop();
    const warnings = linesOf(server.stderr).filter(({ event }) => event === 'policies.older_keys');
    expect(warnings).toMatchObject([
      { policy: 'policy.older', message: expect.stringContaining('x-handover.rules.allow_no_target') },
    ]);

    const other = serve(['--dev', '--memory-only']);
    const registrar = new GrpcClient((await other.ready()).grpc);
    const policyDescriptor = {
      policyId: 'policy.older',
      mode,
      rules: JSON.stringify(rules),
      schemaVersion: 1,
    };
    expect(await registrar.ask('registerPolicy', { policyDescriptor }, 'anyone')).toMatchObject({
      ok: false,
      error: expect.stringContaining('x-handover.rules.allow_no_target'),
    });
    registrar.close();
    await other.stop();
  });

  it('logs lines of JSON, and only to stderr', async () => {
    const server = serve(['--dev', '--memory-only']);
    const { grpc } = await server.ready();
    const client = new GrpcClient(grpc);
    await client.send(start(randomUUID()), '');
    await until(() => server.stderr.includes('audit.authentication_failed'));
    client.close();
    await server.stop();
    const lines = server.stderr.split('\n').filter((line) => line.startsWith('{'));
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ event: expect.any(String) });
  });
});
