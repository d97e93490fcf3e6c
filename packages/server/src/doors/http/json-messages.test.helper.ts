/** Envelopes as a client of the HTTP door writes them: canonical JSON, made by hand and not by the code under test. */
import { HANDOFF_MODE, type JsonObject } from '@handover/core';
import type { Harness } from './http-harness.test.helper.js';

export const SESSION = '0191e7a4-3b1c-7d2e-8f3a-4b5c6d7e8f90';

/** An envelope as JSON; the other fields have plausible defaults. */
export function message(
  messageType: string,
  payload: JsonObject | undefined,
  fields: JsonObject = {},
): JsonObject {
  return {
    macp_version: '1.0',
    mode: HANDOFF_MODE,
    message_type: messageType,
    message_id: `${messageType}-1`,
    session_id: SESSION,
    sender: '',
    timestamp: '2023-11-14T22:13:20.000Z',
    ...(payload && { payload }),
    ...fields,
  };
}

export function startMessage(fields: JsonObject = {}, payload: JsonObject = {}): JsonObject {
  return message(
    'SessionStart',
    {
      intent: 'hand over',
      participants: ['alice', 'bob'],
      mode_version: '1.0.0',
      configuration_version: 'c1',
      policy_version: '',
      ttl_ms: 60_000,
      ...payload,
    },
    fields,
  );
}

export const offerMessage = (fields: JsonObject = {}): JsonObject =>
  message('HandoffOffer', { handoff_id: 'h1', target_participant: 'bob', scope: 'all', reason: '' }, fields);

export const contextMessage = (id: string, text: string): JsonObject =>
  message(
    'HandoffContext',
    { handoff_id: 'h1', content_type: 'text/plain', context: Buffer.from(text).toString('base64') },
    { message_id: id },
  );

export const acceptMessage = (): JsonObject =>
  message('HandoffAccept', { handoff_id: 'h1', accepted_by: 'bob', reason: '' });

export const commitMessage = (): JsonObject =>
  message('Commitment', {
    commitment_id: 'k1',
    action: 'handoff.accepted',
    authority_scope: 'all',
    reason: 'bob accepted',
    mode_version: '1.0.0',
    policy_version: '',
    configuration_version: 'c1',
    outcome_positive: true,
  });

/** Sends an envelope and throws unless it is accepted. */
export async function post(harness: Harness, as: string, body: JsonObject): Promise<void> {
  const answer = await harness.request('/macp/envelope', { as, body });
  if (answer.status !== 200) throw new Error(await answer.text());
}
