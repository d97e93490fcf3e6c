import type { CommitmentPayload } from '@handover/core';

/** The versions that a session is bound to; its Commitment repeats them. */
export type BoundVersions = Pick<CommitmentPayload, 'modeVersion' | 'configurationVersion' | 'policyVersion'>;
