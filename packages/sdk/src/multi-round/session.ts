import { multiRoundPayloads } from '@handover/core';
import type { Ack } from '@handover/wire';
import { given, validateTexts } from '../arguments.js';
import type { MacpClient } from '../client/client.js';
import { MacpSessionError } from '../errors.js';
import type { Speaker } from '../session/inputs.js';
import { ModeSession, type SessionOptions } from '../session/session.js';
import { MultiRoundProjection } from './projection.js';

/** A value that one holds from now on. */
export interface ContributeInput extends Speaker {
  /** What one holds from now on; equality is letter by letter. */
  readonly value: string;
}

/** A multi-round session: participants contribute values until all hold the same; the initiator commits it. */
export class MultiRoundSession extends ModeSession<MultiRoundProjection> {
  /** Sends nothing yet: `start` opens a new session, the other methods join an existing one. */
  constructor(client: MacpClient, options: SessionOptions = {}) {
    super(client, new MultiRoundProjection(), options);
  }

  /** Contributes a value, in place of the one that one held before. */
  async contribute(input: ContributeInput): Promise<Ack> {
    const { value } = given('input', input);
    if (typeof value !== 'string') throw new MacpSessionError('value must be a text', 'value');
    validateTexts({ value });
    return this.say(multiRoundPayloads.Contribute, { value }, input);
  }
}
