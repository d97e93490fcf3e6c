import { MacpClient, type MacpClientOptions } from 'macp-sdk-typescript';

/** Remembers which sessions were read or followed, and how often messages were sent. */
export class CountingClient extends MacpClient {
  readonly read: string[] = [];
  sent = 0;

  /** Connects as its parent does. */
  constructor(options: MacpClientOptions) {
    super(options);
  }
  override readHistory(...args: Parameters<MacpClient['readHistory']>) {
    this.read.push(args[0]);
    return super.readHistory(...args);
  }
  override subscribe(...args: Parameters<MacpClient['subscribe']>) {
    this.read.push(args[0]);
    return super.subscribe(...args);
  }
  override send(...args: Parameters<MacpClient['send']>) {
    this.sent++;
    return super.send(...args);
  }
}
