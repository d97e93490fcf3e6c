import { taskPayloads } from '@handover/core';
import type { Ack } from '@handover/wire';
import { given, validateFlag, validateRequiredField, validateTexts } from '../arguments.js';
import type { MacpClient } from '../client/client.js';
import { MacpSessionError } from '../errors.js';
import { ModeSession, type SessionOptions } from '../session/session.js';
import { validateBytes, validateFinite, validateId, validateSpeaker, validateUnixMs } from '../validation.js';
import type {
  TaskAnswerInput,
  TaskCompleteInput,
  TaskFailInput,
  TaskRequestInput,
  TaskUpdateInput,
} from './inputs.js';
import { TaskProjection } from './projection.js';

const NO_BYTES = new Uint8Array(0);

/** A Task session: the initiator gives one task, somebody takes it and reports, a Commitment ends it. */
export class TaskSession extends ModeSession<TaskProjection> {
  /** Sends nothing yet: `start` opens a new session, the other methods join an existing one. */
  constructor(client: MacpClient, options: SessionOptions = {}) {
    super(client, new TaskProjection(), options);
  }

  /** Gives the task, as the initiator. */
  async requestTask(input: TaskRequestInput): Promise<Ack> {
    const { taskId, title, instructions = '', requestedAssignee = '' } = given('input', input);
    const { input: material = NO_BYTES, deadlineUnixMs = 0 } = input;
    validateId('taskId', taskId);
    validateRequiredField('title', title);
    validateTexts({ instructions, requestedAssignee });
    validateBytes('input', material);
    validateUnixMs('deadlineUnixMs', deadlineUnixMs);
    const { participants } = this;
    if (requestedAssignee !== '' && participants && !participants.includes(requestedAssignee))
      throw new MacpSessionError(
        `requestedAssignee "${requestedAssignee}" is not among the participants of the session`,
        'requestedAssignee',
      );
    const payload = { taskId, title, instructions, requestedAssignee, input: material, deadlineUnixMs };
    return this.say(taskPayloads.TaskRequest, payload, input);
  }

  /** Takes the task. */
  async acceptTask(input: TaskAnswerInput): Promise<Ack> {
    const { taskId, reason = '' } = given('input', input);
    validateId('taskId', taskId);
    validateTexts({ reason });
    return this.say(taskPayloads.TaskAccept, { taskId, assignee: this.#assignee(input), reason }, input);
  }

  /** Declines the task, or gives it back where the policy allows that. */
  async rejectTask(input: TaskAnswerInput): Promise<Ack> {
    const { taskId, reason = '' } = given('input', input);
    validateId('taskId', taskId);
    validateTexts({ reason });
    return this.say(taskPayloads.TaskReject, { taskId, assignee: this.#assignee(input), reason }, input);
  }

  /** Says how far the work is, as its assignee. */
  async updateTask(input: TaskUpdateInput): Promise<Ack> {
    const { taskId, status = '', progress = 0, message = '' } = given('input', input);
    const { partialOutput = NO_BYTES } = input;
    validateId('taskId', taskId);
    validateTexts({ status, message });
    validateFinite('progress', progress);
    validateBytes('partialOutput', partialOutput);
    return this.say(taskPayloads.TaskUpdate, { taskId, status, progress, message, partialOutput }, input);
  }

  /** Says that the work is done. It does not end the session: a Commitment does. */
  async completeTask(input: TaskCompleteInput): Promise<Ack> {
    const { taskId, output = NO_BYTES, summary = '' } = given('input', input);
    validateId('taskId', taskId);
    validateTexts({ summary });
    validateBytes('output', output);
    const payload = { taskId, assignee: this.#assignee(input), output, summary };
    return this.say(taskPayloads.TaskComplete, payload, input);
  }

  /** Says that the work cannot be done. It does not end the session: a Commitment does. */
  async failTask(input: TaskFailInput): Promise<Ack> {
    const { taskId, errorCode = '', reason = '', retryable = false } = given('input', input);
    validateId('taskId', taskId);
    validateTexts({ errorCode, reason });
    validateFlag('retryable', retryable);
    const payload = { taskId, assignee: this.#assignee(input), errorCode, reason, retryable };
    return this.say(taskPayloads.TaskFail, payload, input);
  }

  /** Somebody besides the initiator must be there to do the task. */
  protected override participantsFor(named: readonly string[], sender: string): readonly string[] {
    if (named.every((name) => name === sender))
      throw new MacpSessionError('participants must name somebody besides the initiator', 'participants');
    return named;
  }

  #assignee(input: TaskAnswerInput): string {
    const sender = this.speakerOf(input);
    validateSpeaker('assignee', input.assignee ?? '', sender);
    return input.assignee || sender;
  }
}
