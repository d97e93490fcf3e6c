/** Tells watches of the registries that something has changed. */
import { type EntryHead, type HandoverError, StreamKind, type StreamRef } from '@handover/core';
import { Groups } from '../../platform/groups.js';
import type { Listener } from '../listening/listener.js';
import type { Desk, Post } from '../listening/log-watch.js';
import type { Mailbox } from '../listening/mailbox.js';
import type { Mailroom } from '../listening/mailroom.js';
import { type OpenedMailbox, openMailbox } from '../listening/open-mailbox.js';

/** A notice holds nothing; this is what it costs to keep one. */
const NOTICE_BYTES = 256;

export class RegistryWatch implements Desk {
  readonly #room: Mailroom;
  readonly #boxes = new Groups<Mailbox<undefined>>();

  constructor(room: Mailroom) {
    this.#room = room;
  }

  read({ stream }: EntryHead): Post | undefined {
    if (stream.kind !== StreamKind.Policies && stream.kind !== StreamKind.Modes) return undefined;
    return () => this.#room.send(undefined, NOTICE_BYTES, this.#boxes.get(keyOf(stream)));
  }

  close(fault?: HandoverError): void {
    for (const box of [...this.#boxes.values()]) box.close(fault);
  }

  /** A notice for each change of the registry. */
  open(registry: StreamRef, listener: Listener): OpenedMailbox<undefined> {
    return openMailbox(this.#room, this.#boxes, keyOf(registry), listener);
  }
}

const keyOf = ({ tenant, kind }: StreamRef): string => `${tenant}\n${kind}`;
