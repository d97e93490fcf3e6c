import type { CommitmentPayload } from '@handover/core';
import { given, validateRequiredField } from '../arguments.js';
import { buildCommitmentPayload } from '../envelope/build.js';
import { validateId } from '../validation.js';
import type { OutcomeInput } from './inputs.js';
import type { BoundVersions } from './versions.js';

/** The payload of a Commitment that repeats the versions which the session is bound to. */
export function outcomePayload(input: OutcomeInput, versions: BoundVersions): CommitmentPayload {
  const { action, authorityScope, reason, commitmentId, outcomePositive, supersedes } = given('input', input);
  validateRequiredField('action', action);
  validateRequiredField('authorityScope', authorityScope);
  validateRequiredField('reason', reason);
  if (commitmentId !== undefined) validateId('commitmentId', commitmentId);
  const { modeVersion, configurationVersion, policyVersion } = versions;
  return buildCommitmentPayload({
    modeVersion,
    configurationVersion,
    policyVersion,
    action,
    authorityScope,
    reason,
    ...(commitmentId !== undefined && { commitmentId }),
    ...(outcomePositive !== undefined && { outcomePositive }),
    ...(supersedes !== undefined && { supersedes }),
  });
}
