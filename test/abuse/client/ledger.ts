/** Everything that the server has acknowledged to the well-behaved client. Plain data: it crosses between processes. */
export interface AcknowledgedSession {
  readonly sessionId: string;
  readonly owner: string;
  /** In order. */
  readonly messages: { readonly id: string; readonly payload: string }[];
}

export interface AcknowledgedWork {
  readonly sessionKey: string;
  readonly owner: string;
  readonly entries: { readonly sequence: number; readonly content: string }[];
  /** The last phase that was acknowledged. */
  handoff?: { readonly id: string; readonly phase: string };
}

export interface AcknowledgedPayment {
  readonly id: string;
  readonly secret: string;
  readonly digest: string;
  claimed?: string;
}

export interface Ledger {
  readonly sessions: AcknowledgedSession[];
  readonly works: AcknowledgedWork[];
  readonly payments: AcknowledgedPayment[];
}

export const newLedger = (): Ledger => ({ sessions: [], works: [], payments: [] });

export function acknowledged({ sessions, works, payments }: Ledger): number {
  const messages = sessions.reduce((sum, { messages }) => sum + messages.length, 0);
  const entries = works.reduce(
    (sum, { entries, handoff }) => sum + 1 + entries.length + (handoff ? 1 : 0),
    0,
  );
  return messages + entries + payments.reduce((sum, { claimed }) => sum + (claimed === undefined ? 1 : 2), 0);
}
