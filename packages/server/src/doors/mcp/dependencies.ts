import type { Log } from '../../observe/log.js';
import type { LoopGuard } from '../../observe/loop-guard.js';
import type { Audit } from '../../observe/security-log.js';
import type { KnownFrom } from '../../services/agents/who-am-i.js';
import type { BodyBudget } from '../../services/body-budget.js';
import type { HandoffService } from '../../services/handoffs/types.js';
import type { Listeners } from '../../services/listening/listeners.js';
import type { EventStreams } from '../http/event-streams.js';
import type { CallsUnderWay } from './calls-under-way.js';
import type { Subscriptions } from './changes/subscriptions.js';
import type { ConnectionName } from './connection-name.js';
import type { SharedLines } from './lines/shared-lines.js';
import type { MessageOpener } from './open-message.js';
import type { PromptSpec } from './prompts/prompts.js';
import type { RequestRate } from './request-rate.js';
import type { ResourceKind } from './resources/resource-kind.js';
import type { ToolTable } from './tool-table.js';

/** What every server object of the door shares: services and tables, no state of any client. */
export interface McpDependencies {
  readonly handoffs: HandoffService;
  /** Whom work can be handed to. */
  readonly directory: KnownFrom;
  /** What is left for whoever comes next is for callers over HTTP, too. */
  readonly openParking: boolean;
  readonly tools: ToolTable;
  readonly opener: MessageOpener;
  /** Lines of connections that are not whole. */
  readonly unfinished: BodyBudget;
  /** What the connections that speak line by line share. */
  readonly lines: SharedLines;
  /** Every request passes the caller's rate once. */
  readonly rate: RequestRate;
  readonly kinds: readonly ResourceKind[];
  readonly prompts: readonly PromptSpec[];
  readonly subscriptions: Subscriptions;
  /** Counts who listens, at all doors. */
  readonly listeners: Listeners;
  /** The streamed answers over HTTP: those whose client reads nothing are cut. */
  readonly streams: EventStreams;
  readonly log: Log;
  readonly loop: LoopGuard;
  readonly audit: Audit;
  readonly now: () => number;
  /** The name of the server that clients see. */
  readonly serverName: () => string;
  readonly serverVersion: string;
  /** Of the connections that speak line by line. */
  readonly names: Set<ConnectionName>;
  readonly calls: CallsUnderWay;
  /** Aborted when the door closes, so that calls that wait are answered. */
  readonly closing: AbortSignal;
}
