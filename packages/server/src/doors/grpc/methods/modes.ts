/**
 * Changing the registry of extension modes. A caller who may not do so gets a gRPC status. A change that the registry
 * refuses gets a response with `ok: false`.
 */
import type { ModesCommand } from '@handover/core';
import { encodeMessage, pb } from '@handover/wire';
import type { Principal } from '../../../auth/principal.js';
import type { DoorContext } from '../context.js';
import { invalidRequest, statusOfRejection } from '../errors.js';
import { fromModeDescriptor } from '../translate.js';
import { authenticatedCall } from '../unary.js';
import { registryReply } from './registry-reply.js';

const NO_DESCRIPTOR = invalidRequest('mode_descriptor is missing');

export function modeMethods(context: DoorContext) {
  const { registries } = context;
  const change = (principal: Principal, command: ModesCommand) => registries.changeModes(principal, command);
  return {
    registerExtMode: authenticatedCall(
      context,
      pb.RegisterExtModeRequestSchema,
      async (principal, { modeDescriptor }) => {
        const refusal = registries.forbidden(principal, 'modes.register');
        if (refusal) return statusOfRejection(refusal);
        if (!modeDescriptor) return NO_DESCRIPTOR;
        const descriptor = fromModeDescriptor(modeDescriptor);
        return registryReply(change(principal, { kind: 'register', descriptor }), (outcome) =>
          encodeMessage(pb.RegisterExtModeResponseSchema, outcome),
        );
      },
    ),
    unregisterExtMode: authenticatedCall(
      context,
      pb.UnregisterExtModeRequestSchema,
      async (principal, { mode }) =>
        registryReply(change(principal, { kind: 'unregister', mode }), (outcome) =>
          encodeMessage(pb.UnregisterExtModeResponseSchema, outcome),
        ),
    ),
    promoteMode: authenticatedCall(
      context,
      pb.PromoteModeRequestSchema,
      async (principal, { mode, promotedModeName: promotedName }) =>
        registryReply(change(principal, { kind: 'promote', mode, promotedName }), (outcome) => {
          const name = promotedName === '' ? mode : promotedName;
          return encodeMessage(pb.PromoteModeResponseSchema, { ...outcome, mode: outcome.ok ? name : '' });
        }),
    ),
  };
}
