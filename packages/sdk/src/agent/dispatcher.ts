/** Which handlers are called for what, one after another, in the order in which they were added. */
import type { DetailedPhase } from '../handoff/records.js';
import type {
  HandlerContext,
  IncomingMessage,
  MessageHandler,
  PhaseChange,
  PhaseHandler,
  TerminalHandler,
  TerminalResult,
} from './handlers.js';

const ANY = '*';

export class Dispatcher {
  readonly #messages = new Map<string, MessageHandler[]>();
  readonly #phases = new Map<string, PhaseHandler[]>();
  readonly #terminal: TerminalHandler[] = [];

  onMessage(type: string, handler: MessageHandler): void {
    append(this.#messages, type, handler);
  }

  onPhase(phase: DetailedPhase | typeof ANY, handler: PhaseHandler): void {
    append(this.#phases, phase, handler);
  }

  onTerminal(handler: TerminalHandler): void {
    this.#terminal.push(handler);
  }

  async message(message: IncomingMessage, context: HandlerContext): Promise<void> {
    for (const key of [message.messageType, ANY])
      for (const handler of this.#messages.get(key) ?? []) await handler(message, context);
  }

  async phase(change: PhaseChange, context: HandlerContext): Promise<void> {
    for (const key of [change.phase, ANY])
      for (const handler of this.#phases.get(key) ?? []) await handler(change, context);
  }

  async terminal(result: TerminalResult, context: HandlerContext): Promise<void> {
    for (const handler of this.#terminal) await handler(result, context);
  }
}

function append<H>(table: Map<string, H[]>, key: string, handler: H): void {
  const handlers = table.get(key);
  if (handlers) handlers.push(handler);
  else table.set(key, [handler]);
}
