/** RPCs that the protocol leaves to a server and that this one does not have; Initialize does not promise them. */
import { pb } from '@handover/wire';
import type { DoorContext } from '../context.js';
import { NOT_SERVED } from '../errors.js';
import { authenticatedCall } from '../unary.js';

export function optionalMethods(context: DoorContext) {
  return {
    whatIfReplay: authenticatedCall(context, pb.WhatIfReplayRequestSchema, () => NOT_SERVED),
  };
}
