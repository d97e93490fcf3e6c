import type { Principal } from '../../../auth/principal.js';
import type { Connection } from '../../../services/connection.js';

/** One HTTP request and who sent it. */
export interface Exchange<Message = unknown> {
  readonly request: Request;
  /** What was posted; undefined for other methods. */
  readonly message: Message;
  readonly principal: Principal;
  readonly connection: Connection;
  /** Cuts the connection of a client that does not read. */
  disconnect(): void;
}
