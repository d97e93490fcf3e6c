import { HANDOFF_MODE, type ModeName, type ModePayloads } from '@handover/core';
import type { Bindings } from '../payloads.js';
import { handoffPayloadTypes } from './handoff.js';

/** The protobuf bindings of every built-in mode, by mode and message type: a mode that is missing does not compile. */
export const modePayloadTypes: { readonly [M in ModeName]: Bindings<ModePayloads[M]> } = {
  [HANDOFF_MODE]: handoffPayloadTypes,
};
