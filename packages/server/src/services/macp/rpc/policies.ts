/** The policy registry. When policies come from files, it cannot be changed here. */
import { RejectionCode, reject } from '@handover/core';
import { methods } from '@handover/wire';
import { LongWork } from '../../../platform/long-work.js';
import type { MacpServices } from '../macp-services.js';
import { errorText, registryAnswer } from './registry-answer.js';
import { authenticatedRpc, refusal, type UnaryRpcs } from './rpc.js';
import { readRulesText } from './rules-text.js';
import { policyInList, toPolicyDescriptor } from './translate.js';

/** A policy is encoded, and over HTTP read and written as JSON. */
const WRITING = 2;

const READ_ONLY = reject(
  RejectionCode.REGISTRY_READ_ONLY,
  'the policies of this server come from files; they cannot be changed here',
);

export function policyRpcs({
  registries,
}: MacpServices): UnaryRpcs<'registerPolicy' | 'unregisterPolicy' | 'getPolicy' | 'listPolicies'> {
  const closed = () => (registries.policiesAreReadOnly ? READ_ONLY : undefined);
  return {
    registerPolicy: {
      closed,
      ...authenticatedRpc(methods.registerPolicy, async (caller, { policyDescriptor }) => {
        const rejection = registries.forbidden(caller, 'policies.register');
        if (rejection) return { rejection };
        if (!policyDescriptor) return { malformed: 'policy_descriptor is missing' };
        const { policyId, mode, description, schemaVersion, rules } = policyDescriptor;
        const reading = readRulesText(rules);
        if ('error' in reading) {
          const flaw = reject(RejectionCode.INVALID_POLICY_DEFINITION, reading.error);
          return { value: { ok: false, error: errorText(flaw) } };
        }
        const policy = { policyId, mode, description, schemaVersion, rules: reading.rules };
        return registryAnswer(registries.registerPolicy(caller, policy));
      }),
    },
    unregisterPolicy: {
      closed,
      ...authenticatedRpc(methods.unregisterPolicy, (caller, { policyId }) =>
        registryAnswer(registries.unregisterPolicy(caller, policyId)),
      ),
    },
    getPolicy: authenticatedRpc(methods.getPolicy, async (caller, { policyId }) => {
      const policy = await registries.getPolicy(caller, policyId);
      if (!policy) return refusal(RejectionCode.UNKNOWN_POLICY_VERSION, 'policy_id names no policy');
      return { value: { policyDescriptor: toPolicyDescriptor(policy) } };
    }),
    listPolicies: authenticatedRpc(methods.listPolicies, async ({ tenant }, { mode }, take) => {
      const work = new LongWork();
      for (const policy of await registries.listPolicies(tenant, mode)) {
        const part = policyInList(policy);
        take(part);
        await work.did(WRITING * part.length);
      }
      return { value: {} };
    }),
  };
}
