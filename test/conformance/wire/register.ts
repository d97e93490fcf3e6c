/** Registrations of a fixture; only gRPC has them. */
import { expect } from 'vitest';
import { GrpcClient } from '../../kit/grpc-client.js';
import { isRefused } from '../../kit/refused.js';
import type { ModeDescriptor, PolicyDescriptor, RegisterStep } from '../fixture-types.js';
import { ADMIN, type Agents } from './agents.js';

type Registration = RegisterStep['register'];

export async function register(address: string, agents: Agents, step: Registration): Promise<void> {
  const { sender = ADMIN, credential = sender } = step;
  const client = new GrpcClient(address);
  const answer = await ask(client, step, agents.bearer(credential));
  client.close();
  const what = JSON.stringify(step);
  if (isRefused(answer)) return expect(answer.status, what).toBe(step.expect);
  expect(answer.ok ? 'ok' : 'refused', `${what}: ${answer.error}`).toBe(step.expect);
  if (step.expected_error_contains) expect(answer.error).toContain(step.expected_error_contains);
}

function ask(client: GrpcClient, step: Registration, bearer: string | undefined) {
  const { policy_id: policyId = '', mode = '', promoted_mode_name: promotedModeName = '' } = step;
  switch (step.kind) {
    case 'policy':
      return client.ask(
        'registerPolicy',
        step.policy ? { policyDescriptor: policyOf(step.policy) } : {},
        bearer,
      );
    case 'unregister_policy':
      return client.ask('unregisterPolicy', { policyId }, bearer);
    case 'ext_mode':
      return client.ask(
        'registerExtMode',
        step.mode_descriptor ? { modeDescriptor: modeOf(step.mode_descriptor) } : {},
        bearer,
      );
    case 'unregister_ext_mode':
      return client.ask('unregisterExtMode', { mode }, bearer);
    case 'promote_mode':
      return client.ask('promoteMode', { mode, promotedModeName }, bearer);
  }
}

function policyOf(given: PolicyDescriptor) {
  return {
    policyId: given.policy_id,
    mode: given.mode,
    description: given.description ?? '',
    rules: typeof given.rules === 'string' ? given.rules : JSON.stringify(given.rules),
    schemaVersion: given.schema_version,
  };
}

function modeOf(given: ModeDescriptor) {
  return {
    mode: given.mode,
    modeVersion: given.mode_version,
    title: given.title ?? '',
    description: given.description ?? '',
    determinismClass: given.determinism_class ?? '',
    participantModel: given.participant_model ?? '',
    messageTypes: [...given.message_types],
    terminalMessageTypes: [...given.terminal_message_types],
  };
}
