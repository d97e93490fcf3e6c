import { proposalPayloads } from '@handover/core';
import type { Ack } from '@handover/wire';
import { given, validateFlag, validateTexts } from '../arguments.js';
import type { MacpClient } from '../client/client.js';
import { ModeSession, type SessionOptions } from '../session/session.js';
import { validateBytes, validateId, validateTextList } from '../validation.js';
import type {
  CounterProposalInput,
  ProposalAnswerInput,
  ProposalInput,
  ProposalRejectInput,
} from './inputs.js';
import { ProposalProjection } from './projection.js';

const NO_BYTES = new Uint8Array(0);

/** A Proposal session: peers propose and counter-propose until they agree, or one of them rejects for good. */
export class ProposalSession extends ModeSession<ProposalProjection> {
  /** Sends nothing yet: `start` opens a new session, the other methods join an existing one. */
  constructor(client: MacpClient, options: SessionOptions = {}) {
    super(client, new ProposalProjection(), options);
  }

  /** Puts a proposal on the table. */
  async propose(input: ProposalInput): Promise<Ack> {
    const { proposalId, title = '', summary = '', details = NO_BYTES, tags = [] } = given('input', input);
    validateId('proposalId', proposalId);
    validateTexts({ title, summary });
    validateBytes('details', details);
    validateTextList('tags', tags);
    return this.say(proposalPayloads.Proposal, { proposalId, title, summary, details, tags }, input);
  }

  /** Puts another proposal beside one that is there; both can be accepted. */
  async counterPropose(input: CounterProposalInput): Promise<Ack> {
    const { proposalId, supersedesProposalId, title = '' } = given('input', input);
    const { summary = '', details = NO_BYTES } = input;
    validateId('proposalId', proposalId);
    validateId('supersedesProposalId', supersedesProposalId);
    validateTexts({ title, summary });
    validateBytes('details', details);
    const payload = { proposalId, supersedesProposalId, title, summary, details };
    return this.say(proposalPayloads.CounterProposal, payload, input);
  }

  /** Accepts a proposal, in place of what one accepted before. */
  async accept(input: ProposalAnswerInput): Promise<Ack> {
    const { proposalId, reason = '' } = given('input', input);
    validateId('proposalId', proposalId);
    validateTexts({ reason });
    return this.say(proposalPayloads.Accept, { proposalId, reason }, input);
  }

  /** Rejects a proposal; `terminal` ends the negotiation. */
  async reject(input: ProposalRejectInput): Promise<Ack> {
    const { proposalId, terminal = false, reason = '' } = given('input', input);
    validateId('proposalId', proposalId);
    validateFlag('terminal', terminal);
    validateTexts({ reason });
    return this.say(proposalPayloads.Reject, { proposalId, terminal, reason }, input);
  }

  /** Takes one's own proposal back; what was said of it is void. */
  async withdraw(input: ProposalAnswerInput): Promise<Ack> {
    const { proposalId, reason = '' } = given('input', input);
    validateId('proposalId', proposalId);
    validateTexts({ reason });
    return this.say(proposalPayloads.Withdraw, { proposalId, reason }, input);
  }
}
