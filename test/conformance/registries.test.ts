/** What the registries say on the wire. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GrpcClient } from '../kit/grpc-client.js';
import { isRefused } from '../kit/refused.js';
import { TestServer } from '../kit/test-server.js';
import type { PolicyDescriptor, Step } from './fixture-types.js';
import { loadFixtures } from './load-fixtures.js';
import { verifies } from './verifies.js';

const HANDOFF = 'macp.mode.handoff.v1';
const LARGEST_RULES = 65_536;

/** Rules of exactly so many bytes, most of them a note. */
function sized(bytes: number): string {
  const text = (note: string) => JSON.stringify({ _why: note, commitment: { authority: 'any_participant' } });
  return text('x'.repeat(bytes - text('').length));
}

describe('registries', () => {
  let server: TestServer;
  let client: GrpcClient;
  beforeAll(async () => {
    server = await TestServer.start({ flags: { dev: true } });
    client = new GrpcClient(server.grpc);
  });
  afterAll(async () => {
    client.close();
    await server.remove();
  });
  const register = (policyId: string, rules: string) =>
    client.ask(
      'registerPolicy',
      { policyDescriptor: { policyId, mode: HANDOFF, rules, schemaVersion: 1 } },
      'admin',
    );
  const answered = async <T extends object>(call: Promise<T>) => {
    const answer = await call;
    if (isRefused(answer)) throw new Error(`${answer.status}: ${answer.message}`);
    return answer as Exclude<T, { readonly status: string; readonly message: string }>;
  };

  it(`${verifies('policy:registered-at')}say when a policy was registered, the same after a restart`, async () => {
    server.advance(1234);
    expect(await register('policy.dated', '{}')).toMatchObject({ ok: true });
    const dates = async () => {
      const one = await answered(client.ask('getPolicy', { policyId: 'policy.dated' }, 'anyone'));
      const all = await answered(client.ask('listPolicies', { mode: '' }, 'anyone'));
      return [one.policyDescriptor, all.descriptors.find(({ policyId }) => policyId === 'policy.dated')].map(
        (policy) => Number(policy?.registeredAtUnixMs),
      );
    };
    const registered = server.now;
    expect(await dates()).toEqual([registered, registered]);
    server.advance(5000);
    client.close();
    await server.restart();
    client = new GrpcClient(server.grpc);
    expect(await dates()).toEqual([registered, registered]);
  });

  it(`${verifies('macp-2026:6:default-shown')}show what policy.default means`, async () => {
    const { policyDescriptor } = await answered(
      client.ask('getPolicy', { policyId: 'policy.default' }, 'anyone'),
    );
    expect(policyDescriptor).toMatchObject({ mode: '*', schemaVersion: 1 });
    expect(JSON.parse(policyDescriptor?.rules ?? '')).toEqual({
      voting: { algorithm: 'none', quorum: { type: 'count', value: 0 } },
      objection_handling: { critical_severity_vetoes: false, veto_threshold: 1 },
      evaluation: { required_before_voting: false, minimum_confidence: 0 },
      commitment: { authority: 'initiator_only', designated_roles: [], require_vote_quorum: false },
    });
  });

  it(`${verifies('decision:policy:size')}take rules of 64 KiB and not a byte more`, async () => {
    expect([sized(LARGEST_RULES).length, sized(LARGEST_RULES + 1).length]).toEqual([
      LARGEST_RULES,
      LARGEST_RULES + 1,
    ]);
    expect(await register('policy.full', sized(LARGEST_RULES))).toMatchObject({ ok: true });
    expect(await register('policy.over', sized(LARGEST_RULES + 1))).toMatchObject({ ok: false });
  });

  it(`${verifies('macp-2026:13:schema-uris')}say where the protobuf of each mode is published`, async () => {
    const [{ modes }, extension] = await Promise.all([
      answered(client.ask('listModes', {}, undefined)),
      answered(client.ask('listExtModes', {}, undefined)),
    ]);
    for (const { schemaUris } of [...modes, ...extension.modes])
      expect(schemaUris).toEqual({ protobuf: 'buf.build/multiagentcoordinationprotocol/macp' });
  });

  it(`${verifies('macp-2026:7:descriptors')}describe each mode as the protocol does, with its types`, async () => {
    const [{ modes }, extension] = await Promise.all([
      answered(client.ask('listModes', {}, undefined)),
      answered(client.ask('listExtModes', {}, undefined)),
    ]);
    const said = [...modes, ...extension.modes].map(
      ({ mode, modeVersion, determinismClass, participantModel, messageTypes, terminalMessageTypes }) =>
        [
          mode,
          modeVersion,
          determinismClass,
          participantModel,
          messageTypes.join(' '),
          ...terminalMessageTypes,
        ].join(' | '),
    );
    expect(said.sort()).toEqual([
      'ext.multi_round.v1 | 1.0.0 | semantic-deterministic | peer | SessionStart Contribute Commitment | Commitment',
      'macp.mode.decision.v1 | 1.0.0 | semantic-deterministic | declared | SessionStart Proposal Evaluation Objection Vote Commitment | Commitment',
      'macp.mode.handoff.v1 | 1.0.0 | context-frozen | delegated | SessionStart HandoffOffer HandoffContext HandoffAccept HandoffDecline Commitment | Commitment',
      'macp.mode.proposal.v1 | 1.0.0 | semantic-deterministic | peer | SessionStart Proposal CounterProposal Accept Reject Withdraw Commitment | Commitment',
      'macp.mode.quorum.v1 | 1.0.0 | semantic-deterministic | quorum | SessionStart ApprovalRequest Approve Reject Abstain Commitment | Commitment',
      'macp.mode.task.v1 | 1.0.0 | structural-only | orchestrated | SessionStart TaskRequest TaskAccept TaskReject TaskUpdate TaskComplete TaskFail Commitment | Commitment',
    ]);
  });

  it(`${verifies('handoff:determinism:claimed')}describe the mode as context-frozen`, async () => {
    const { modes } = await answered(client.ask('listModes', {}, undefined));
    expect(modes.find(({ mode }) => mode === HANDOFF)).toMatchObject({
      determinismClass: 'context-frozen',
      participantModel: 'delegated',
      modeVersion: '1.0.0',
    });
  });
});

describe('the published schema', () => {
  const file = new URL('../../schemas/json/policy/handoff-rules.schema.json', import.meta.url);
  const ajv = new Ajv2020({ strict: false });
  const validate = ajv.compile(JSON.parse(readFileSync(file, 'utf8')));
  /** Policies that stand or fall with their rules: everything else about them is in order. */
  const aboutRules = ({ policy_id, mode, schema_version, rules }: PolicyDescriptor) =>
    policy_id === 'policy.test' && mode === HANDOFF && schema_version === 1 && typeof rules === 'object';
  const judged = loadFixtures().flatMap(({ name, fixture: { policy, setup = [], messages } }) => [
    ...(policy && aboutRules(policy) ? [{ name, rules: policy.rules, ok: true }] : []),
    ...[...setup, ...messages].flatMap((step: Step) =>
      'register' in step &&
      step.register.policy &&
      aboutRules(step.register.policy) &&
      !/already|default/.test(step.register.expected_error_contains ?? '')
        ? [{ name, rules: step.register.policy.rules, ok: step.register.expect }]
        : [],
    ),
  ]);

  it(`${verifies('decision:schemas:policy-rules')}judges the rules of every fixture as registration does`, () => {
    const relevant = judged.filter(({ ok }) => ok === true || ok === 'ok' || ok === 'refused');
    expect(relevant.length).toBeGreaterThan(40);
    const differing = relevant.filter(({ rules, ok }) => validate(rules) !== (ok !== 'refused'));
    expect(differing).toEqual([]);
  });
});
