/** Webhooks: who is told, what, and what is still to be told. */

export const WebhookEventType = {
  Offered: 'handoff.offered',
  Accepted: 'handoff.accepted',
  Declined: 'handoff.declined',
  Committed: 'handoff.committed',
  Expired: 'handoff.expired',
  Cancelled: 'handoff.cancelled',
  OperationCreated: 'operation.created',
  OperationUpdated: 'operation.updated',
  OperationCompleted: 'operation.completed',
  OperationFailed: 'operation.failed',
  OperationCancelled: 'operation.cancelled',
  OperationExpired: 'operation.expired',
} as const;
export type WebhookEventType = (typeof WebhookEventType)[keyof typeof WebhookEventType];

/** An address that the operator configured. Never holds a readable secret. */
export interface WebhookEndpoint {
  /** Stable over restarts, so that what is left to deliver finds its way. */
  readonly id: string;
  readonly url: string;
  readonly events: ReadonlySet<WebhookEventType>;
  readonly tenant: string;
  /** The `webhook-signature` header for what is signed. */
  sign(id: string, timestampSeconds: number, body: string): string;
}

/** What crosses: ids and status, so that a receiver that is not who it should be learns little. */
export interface WebhookEvent {
  /** The same at every attempt and after every restart; receivers recognise repetitions by it. */
  readonly id: string;
  readonly type: WebhookEventType;
  /** When it happened. */
  readonly at: number;
  readonly tenant: string;
  readonly data: HandoffData | OperationData;
}

export interface HandoffData {
  readonly handoffId: string;
  readonly macpSessionId: string;
  readonly sessionKey?: string;
  readonly requestType?: string;
  readonly from: string;
  readonly to: string;
  /** The public word: pending, completed, failed. */
  readonly status: string;
}

export interface OperationData {
  /** The op_, bd_ or ss_ id; it names a record and opens nothing. */
  readonly operationId: string;
  readonly family: string;
  readonly createdBy: string;
  /** Where it stands after this; absent: as before. */
  readonly status?: string;
  /** What the chain said. */
  readonly verification?: string;
}

export interface Delivery {
  readonly event: WebhookEvent;
  readonly endpointId: string;
  readonly attempts: number;
  /** Not before this time. */
  readonly nextAt: number;
}

/** A delivery that was given up. */
export interface DeadLetter {
  readonly event: WebhookEvent;
  readonly endpointId: string;
  readonly url: string;
  readonly attempts: number;
  readonly failedAt: number;
  /** Why the last attempt failed; nothing that the receiver sent. */
  readonly reason: string;
}
