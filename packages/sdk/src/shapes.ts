/** Core's and wire's shapes under the names by which this package shows them. */
import type * as core from '@handover/core';
import type * as wire from '@handover/wire';

/** The container of everything a participant says; milliseconds are numbers, the payload is bytes. */
export type Envelope = core.Envelope;
/** What a session is started with. */
export type SessionStartPayload = core.SessionStartPayload;
/** What ends a session: the action, its scope and reason, and whether the handoff took place. */
export type CommitmentPayload = core.CommitmentPayload;
/** Names a Commitment of another session by its hash. */
export type CommitmentRef = core.CommitmentRef;
/** Something that a session works on, by its URI. */
export type Root = core.Root;
/** What a mode is and which messages it has. */
export type ModeDescriptor = core.ModeDescriptor;
/** The answer to one envelope. */
export type Ack = wire.Ack;
/** Why a message was refused, as it came over the wire. */
export type AckError = wire.AckError;
/** UNSPECIFIED, OPEN, RESOLVED, EXPIRED, SUSPENDED or CANCELLED. */
export type SessionStateName = wire.SessionStateName;
