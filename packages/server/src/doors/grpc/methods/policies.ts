/**
 * The policy registry. When policies come from files, it cannot be changed here, and every change is refused before
 * the caller is authenticated (docs/spec/macp.md 4.2).
 */
import { RejectionCode, reject } from '@handover/core';
import { encodeMessage, pb } from '@handover/wire';
import { errorText } from '../../../services/macp/rpc/registry-answer.js';
import type { DoorContext } from '../context.js';
import { invalidRequest, statusOfRejection } from '../errors.js';
import { toPolicyDescriptor } from '../translate.js';
import { authenticatedCall, type UnaryHandler } from '../unary.js';
import { registryReply } from './registry-reply.js';
import { readRulesText } from './rules-text.js';

const NO_DESCRIPTOR = invalidRequest('policy_descriptor is missing');
const UNKNOWN_POLICY = statusOfRejection(
  reject(RejectionCode.UNKNOWN_POLICY_VERSION, 'policy_id names no policy'),
);
const READ_ONLY = statusOfRejection(
  reject(
    RejectionCode.REGISTRY_READ_ONLY,
    'the policies of this server come from files; they cannot be changed here',
  ),
);

export function policyMethods(context: DoorContext) {
  const { registries } = context;
  return {
    registerPolicy: unlessReadOnly(context, registerPolicy(context)),
    unregisterPolicy: unlessReadOnly(
      context,
      authenticatedCall(context, pb.UnregisterPolicyRequestSchema, (principal, { policyId }) =>
        registryReply(registries.unregisterPolicy(principal, policyId), (outcome) =>
          encodeMessage(pb.UnregisterPolicyResponseSchema, outcome),
        ),
      ),
    ),
    getPolicy: authenticatedCall(context, pb.GetPolicyRequestSchema, async (principal, { policyId }) => {
      const policy = await registries.getPolicy(principal, policyId);
      if (!policy) return UNKNOWN_POLICY;
      return encodeMessage(pb.GetPolicyResponseSchema, { policyDescriptor: toPolicyDescriptor(policy) });
    }),
    listPolicies: authenticatedCall(context, pb.ListPoliciesRequestSchema, async (principal, { mode }) => {
      const policies = await registries.listPolicies(principal.tenant, mode);
      return encodeMessage(pb.ListPoliciesResponseSchema, { descriptors: policies.map(toPolicyDescriptor) });
    }),
  };
}

function registerPolicy(context: DoorContext): UnaryHandler {
  const { registries } = context;
  return authenticatedCall(
    context,
    pb.RegisterPolicyRequestSchema,
    async (principal, { policyDescriptor }) => {
      const refusal = registries.forbidden(principal, 'policies.register');
      if (refusal) return statusOfRejection(refusal);
      if (!policyDescriptor) return NO_DESCRIPTOR;
      const { policyId, mode, description, schemaVersion, rules } = policyDescriptor;
      const reading = readRulesText(rules);
      if ('error' in reading)
        return encodeMessage(pb.RegisterPolicyResponseSchema, {
          ok: false,
          error: errorText(reject(RejectionCode.INVALID_POLICY_DEFINITION, reading.error)),
        });
      const policy = { policyId, mode, description, schemaVersion, rules: reading.rules };
      return registryReply(registries.registerPolicy(principal, policy), (outcome) =>
        encodeMessage(pb.RegisterPolicyResponseSchema, outcome),
      );
    },
  );
}

function unlessReadOnly({ registries }: DoorContext, handler: UnaryHandler): UnaryHandler {
  return (call, callback) => (registries.policiesAreReadOnly ? callback(READ_ONLY) : handler(call, callback));
}
