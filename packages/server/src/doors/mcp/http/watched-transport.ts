import { type JSONRPCMessage, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

type SendOptions = Parameters<WebStandardStreamableHTTPServerTransport['send']>[1];

/** The SDK's transport of one HTTP session, but somebody sees what is sent. */
export class WatchedTransport extends WebStandardStreamableHTTPServerTransport {
  readonly #onSent: (message: JSONRPCMessage) => void;

  constructor(sessionId: string, onSent: (message: JSONRPCMessage) => void) {
    super({ sessionIdGenerator: () => sessionId });
    this.#onSent = onSent;
  }

  override send(message: JSONRPCMessage, options?: SendOptions): Promise<void> {
    this.#onSent(message);
    return super.send(message, options);
  }
}
