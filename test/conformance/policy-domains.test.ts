/** What a policy may say, asked of a real server by registering it (macp-2026:6). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GrpcClient } from '../kit/grpc-client.js';
import { TestServer } from '../kit/test-server.js';
import {
  CLOSED,
  COMMITMENT,
  DECISION,
  type Domain,
  HANDOFF,
  PROPOSAL,
  QUORUM,
  TASK,
} from './policy-domains.js';
import { verifies } from './verifies.js';

type Rules = Record<string, unknown>;

/** Rules with this value at this path, and with what stands beside it. */
function rulesAt(path: string, value: unknown, beside: Readonly<Rules> = {}): Rules {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...beside, ...(value !== undefined && { [first]: value }) };
  return { [first]: rulesAt(rest.join('.'), value, beside) };
}

describe('a policy', () => {
  let server: TestServer;
  let client: GrpcClient;
  let count = 0;
  beforeAll(async () => {
    server = await TestServer.start({ flags: { dev: true } });
    client = new GrpcClient(server.grpc);
  });
  afterAll(async () => {
    client.close();
    await server.remove();
  });
  /** Empty: it was registered. */
  const register = async (mode: string, rules: Rules, schemaVersion = 3) => {
    const policyDescriptor = {
      policyId: `policy.${++count}`,
      mode,
      rules: JSON.stringify(rules),
      schemaVersion,
    };
    const { ok, error } = await client.call('registerPolicy', { policyDescriptor }, 'admin');
    expect(ok).toBe(error === '');
    return error;
  };
  /** What came out otherwise than the table says. */
  const differences = async (domains: readonly Domain[]) => {
    const found: string[] = [];
    for (const { mode, path, beside, right, wrong } of domains) {
      for (const value of right) {
        const error = await register(mode, rulesAt(path, value, beside));
        if (error !== '') found.push(`${mode} ${path} ${JSON.stringify(value)}: ${error}`);
      }
      for (const value of wrong) {
        const error = await register(mode, rulesAt(path, value, beside));
        // The parent of a key that is not there is named.
        const named = error.includes(path) || error.includes(path.split('.').slice(0, -1).join('.'));
        if (!error.startsWith('INVALID_POLICY_DEFINITION: ') || !named)
          found.push(`${mode} ${path} ${JSON.stringify(value)} is answered "${error}"`);
      }
    }
    return found;
  };

  it(`${verifies('macp-2026:6.3:decision', 'macp-2026:6.1:path')}of Decision Mode is judged value by value`, async () => {
    expect(await differences(DECISION)).toEqual([]);
  });

  it(`${verifies('macp-2026:6.3:proposal')}of Proposal Mode, too`, async () => {
    expect(await differences(PROPOSAL)).toEqual([]);
  });

  it(`${verifies('macp-2026:6.3:task')}of Task Mode, too`, async () => {
    expect(await differences(TASK)).toEqual([]);
  });

  it(`${verifies('macp-2026:6.3:handoff')}of Handoff Mode, too`, async () => {
    expect(await differences(HANDOFF)).toEqual([]);
  });

  it(`${verifies('macp-2026:6.3:quorum')}of Quorum Mode, too`, async () => {
    expect(await differences(QUORUM)).toEqual([]);
  });

  it(`${verifies('macp-2026:6.3:commitment')}of each mode says who commits`, async () => {
    expect(await differences(COMMITMENT)).toEqual([]);
  });

  it('for every mode is judged by the rules of each', async () => {
    const all = [...DECISION, ...PROPOSAL, ...TASK, ...HANDOFF, ...QUORUM].map((row) => ({
      ...row,
      mode: '*',
    }));
    expect(await differences(all)).toEqual([]);
  });

  it.each([1, 2, 3])(
    'says the same under schema_version %i, the two younger keys included',
    async (schemaVersion) => {
      const rules = {
        objection_handling: { critical_objection_action: 'hold' },
        commitment: { allow_decline_over_approval: true },
      };
      expect(await register('macp.mode.decision.v1', rules, schemaVersion)).toBe('');
    },
  );

  it(`${verifies('macp-2026:6.2:closed')}has no other keys, at any level, but for notes`, async () => {
    for (const [mode, path] of CLOSED) {
      const error = await register(`macp.mode.${mode}.v1`, rulesAt(path, {}));
      expect([mode, path, error]).toEqual([
        mode,
        path,
        expect.stringMatching(/^INVALID_POLICY_DEFINITION: .*(unknown key|not known here)/),
      ]);
      if (!path.includes('unknown')) continue;
      for (const note of ['_note', '$note'])
        expect([
          path,
          await register(`macp.mode.${mode}.v1`, rulesAt(path.replace('unknown', note), 1)),
        ]).toEqual([path, '']);
    }
  });

  it(`${verifies('macp-2026:6.5:profiles')}under policy.std. says what the protocol says, and stays`, async () => {
    const quorum = (value: number) => ({ type: 'count', value });
    const profiles = {
      majority: { algorithm: 'majority', threshold: 0.5, quorum: quorum(1) },
      supermajority: { algorithm: 'supermajority', threshold: 0.6666666666666666, quorum: quorum(2) },
      unanimous: { algorithm: 'unanimous', quorum: quorum(1) },
    };
    for (const [name, voting] of Object.entries(profiles)) {
      const policyId = `policy.std.${name}`;
      const { policyDescriptor } = await client.call('getPolicy', { policyId }, 'anybody');
      expect(policyDescriptor).toMatchObject({ mode: 'macp.mode.decision.v1', schemaVersion: 1 });
      const { voting: shown, commitment } = JSON.parse(policyDescriptor?.rules ?? '{}');
      expect([name, { threshold: 0.5, ...shown }]).toEqual([name, { threshold: 0.5, ...voting }]);
      expect(commitment.require_vote_quorum).toBe(true);
      expect(await client.call('unregisterPolicy', { policyId }, 'admin')).toMatchObject({ ok: false });
    }
  });
});
