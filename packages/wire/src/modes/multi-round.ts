import type { MultiRoundPayloads } from '@handover/core';
import type { Bindings } from '../payloads.js';
import { string } from '../proto/field.js';
import { message } from '../proto/message.js';

export const multiRoundPayloadTypes: Bindings<MultiRoundPayloads> = {
  Contribute: message({ value: string(1) }),
};
