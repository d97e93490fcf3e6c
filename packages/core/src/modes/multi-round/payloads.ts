/** The payload of the multi-round mode, and how it looks in JSON. */
import { string } from '../../envelope/json/kinds.js';
import { object } from '../../envelope/json/object-kind.js';
import { payloadTable } from '../../envelope/payload-kind.js';
import { MULTI_ROUND_MODE } from './messages.js';

export interface ContributePayload {
  readonly value: string;
}

export interface MultiRoundPayloads {
  Contribute: ContributePayload;
}

export const multiRoundPayloads = payloadTable<MultiRoundPayloads>(MULTI_ROUND_MODE, {
  Contribute: object({ value: string }),
});
