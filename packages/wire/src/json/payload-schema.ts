/**
 * Which message the payload of an envelope is, by the names in the proto files: Core's own in every mode, all others by
 * mode. A mode whose proto file is there needs nothing else.
 */

import { createRegistry, type DescMessage } from '@bufbuild/protobuf';
import { CoreMessageType } from '@handover/core';
import { protoFiles } from '../proto-files.js';

const registry = createRegistry(...protoFiles);
const CORE: ReadonlySet<string> = new Set(Object.values(CoreMessageType));
const STANDARD = /^macp\.mode\.([a-z0-9_]+)\.v1$/;
/** Extension modes that come with a proto file. */
const EXTENSIONS: ReadonlyMap<string, string> = new Map([['ext.multi_round.v1', 'multi_round']]);

/** Undefined: the payload of that pair is bytes. */
export function payloadSchema(mode: string, messageType: string): DescMessage | undefined {
  if (CORE.has(messageType)) return registry.getMessage(`macp.v1.${messageType}Payload`);
  const name = EXTENSIONS.get(mode) ?? STANDARD.exec(mode)?.[1];
  return name === undefined ? undefined : registry.getMessage(`macp.modes.${name}.v1.${messageType}Payload`);
}
