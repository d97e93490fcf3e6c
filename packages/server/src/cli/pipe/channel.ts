/** The way of one pipe to one server: lines go there, lines come back, until either side ends it. */
export interface Channel {
  /** Called once, before the first line is sent. */
  listen(listener: ChannelListener): void;
  send(line: string): void;
  /** A line that is sent now would wait here: the client is not read until `room`. */
  readonly full: boolean;
  /** What the server says is not taken until `resume`. */
  pause(): void;
  resume(): void;
  /** The client has said all. The channel ends after what the server still has to say. */
  finish(): void;
  /** Ends it at once. */
  close(): void;
  readonly closed: boolean;
  /** Resolves when nothing more can be sent or will come, whoever ended it. */
  readonly ended: Promise<void>;
}

export interface ChannelListener {
  line(line: string): void;
  room(): void;
}

/** There is no server now, but there may be one later. The message is for the client and for the user. */
export class Away extends Error {
  override readonly name = 'Away';
}
