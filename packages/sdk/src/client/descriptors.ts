/** Checks of the descriptors that a caller registers, before the network. Their rules are for the runtime to judge. */
import { given, validateRequiredField, validateTexts } from '../arguments.js';
import { validateId, validateTextList, validateWhole } from '../validation.js';
import type { ModeDescriptor, PolicyDescriptor } from './types.js';

const MAX_UINT32 = 4_294_967_295;

export function validatePolicy(argument: string, policy: PolicyDescriptor): void {
  const { policyId, mode, description, rules, schemaVersion } = given(argument, policy);
  validateId('policyId', policyId);
  validateRequiredField('mode', mode);
  validateTexts({ description });
  validateRequiredField('rules', rules);
  validateWhole('schemaVersion', schemaVersion, 0, MAX_UINT32);
}

export function validateMode(descriptor: ModeDescriptor): void {
  const { mode, messageTypes, terminalMessageTypes, schemaUris, ...texts } = given('descriptor', descriptor);
  validateId('mode', mode);
  for (const [name, list] of Object.entries({ messageTypes, terminalMessageTypes }))
    validateTextList(name, list);
  for (const [key, uri] of Object.entries(given('schemaUris', schemaUris)))
    validateRequiredField(`schemaUris.${key}`, uri);
  validateTexts(texts);
}
