import {
  DECISION_MODE,
  HANDOFF_MODE,
  type ModeName,
  type ModePayloads,
  MULTI_ROUND_MODE,
  PROPOSAL_MODE,
  QUORUM_MODE,
  TASK_MODE,
} from '@handover/core';
import type { Bindings } from '../payloads.js';
import { decisionPayloadTypes } from './decision.js';
import { handoffPayloadTypes } from './handoff.js';
import { multiRoundPayloadTypes } from './multi-round.js';
import { proposalPayloadTypes } from './proposal.js';
import { quorumPayloadTypes } from './quorum.js';
import { taskPayloadTypes } from './task.js';

/** The protobuf bindings of every built-in mode, by mode and message type: a mode that is missing does not compile. */
export const modePayloadTypes: { readonly [M in ModeName]: Bindings<ModePayloads[M]> } = {
  [DECISION_MODE]: decisionPayloadTypes,
  [PROPOSAL_MODE]: proposalPayloadTypes,
  [TASK_MODE]: taskPayloadTypes,
  [HANDOFF_MODE]: handoffPayloadTypes,
  [QUORUM_MODE]: quorumPayloadTypes,
  [MULTI_ROUND_MODE]: multiRoundPayloadTypes,
};
