import { MacpClient, type MacpClientOptions } from 'macp-sdk-typescript';

/** Remembers which sessions were read or followed, and how often a list was asked for. */
export class CountingClient extends MacpClient {
  readonly read: string[] = [];
  lists = 0;

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
  override listSessionsPage(...args: Parameters<MacpClient['listSessionsPage']>) {
    this.lists++;
    return super.listSessionsPage(...args);
  }
}
