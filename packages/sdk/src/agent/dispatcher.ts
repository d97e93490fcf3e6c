/** Which handlers are called for what, one after another, in the order in which they were added. */
import type {
  HandlerContext,
  IncomingMessage,
  MessageHandler,
  PhaseChange,
  PhaseHandler,
  PhaseOf,
  TerminalHandler,
  TerminalResult,
} from './handlers.js';
import type { AgentMode } from './modes.js';

const ANY = '*';

export class Dispatcher<M extends AgentMode> {
  readonly #messages = new Map<string, MessageHandler<unknown, M>[]>();
  readonly #phases = new Map<string, PhaseHandler<M>[]>();
  readonly #terminal: TerminalHandler<M>[] = [];

  onMessage(type: string, handler: MessageHandler<unknown, M>): void {
    append(this.#messages, type, handler);
  }

  onPhase(phase: PhaseOf<M> | typeof ANY, handler: PhaseHandler<M>): void {
    append(this.#phases, phase, handler);
  }

  onTerminal(handler: TerminalHandler<M>): void {
    this.#terminal.push(handler);
  }

  async message(message: IncomingMessage, context: HandlerContext<M>): Promise<void> {
    for (const key of [message.messageType, ANY])
      for (const handler of this.#messages.get(key) ?? []) await handler(message, context);
  }

  async phase(change: PhaseChange<M>, context: HandlerContext<M>): Promise<void> {
    for (const key of [change.phase, ANY])
      for (const handler of this.#phases.get(key) ?? []) await handler(change, context);
  }

  async terminal(result: TerminalResult, context: HandlerContext<M>): Promise<void> {
    for (const handler of this.#terminal) await handler(result, context);
  }
}

function append<H>(table: Map<string, H[]>, key: string, handler: H): void {
  const handlers = table.get(key);
  if (handlers) handlers.push(handler);
  else table.set(key, [handler]);
}
