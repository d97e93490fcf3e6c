import type { Groups } from '../../platform/groups.js';
import type { Listener } from './listener.js';
import type { Mailbox } from './mailbox.js';
import type { Mailroom } from './mailroom.js';

export interface OpenedMailbox<T> {
  readonly box: Mailbox<T>;
  /** Closes it and takes it from its group. */
  leave(): void;
}

/** Opens a mailbox for a listener and files it under a key. */
export function openMailbox<T>(
  room: Mailroom,
  groups: Groups<Mailbox<T>>,
  key: string,
  listener: Listener,
): OpenedMailbox<T> {
  const box = room.open<T>(listener);
  groups.add(key, box);
  return {
    box,
    leave: () => {
      groups.delete(key, box);
      box.close();
    },
  };
}
