/** What the clients were told, to be held against what the log has in the end. */
import type { StreamRef } from '@handover/core';
import type { Submission } from '@handover/engine';

export interface Refused {
  readonly submission: Submission<readonly ['session']>;
  readonly code: string;
  /** The stream's last sequence when it was asked and when it was answered, and the time of the store then. */
  readonly from: number;
  readonly to: number;
  readonly askedAt: number;
  readonly answeredAt: number;
}

export class Ledger {
  readonly violations: string[] = [];
  readonly accepted = new Map<string, StreamRef>();
  /** Message ids of which one answer said that the message is new. */
  readonly isNew = new Set<string>();
  readonly refused: Refused[] = [];
  readonly refusedIds = new Set<string>();
  acks = 0;
  duplicates = 0;
  unknowns = 0;
  /** Clients that have not finished. */
  open = 0;

  violated(what: string): void {
    if (this.violations.length < 50) this.violations.push(what);
  }
}
