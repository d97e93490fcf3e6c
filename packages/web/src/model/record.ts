/** What the HTTP API answers, under the names that the pages use. */
import type { Fields } from '@handover/core';
import type {
  BundleDeployView,
  DeploymentStep,
  GraphView,
  RecordView,
  SessionStartView,
  SessionView,
  StepView,
  TransactionView,
} from '@handover/evm';

export type JsonRecord = Fields;
export type Deployment = DeploymentStep;
export type Step = StepView;
export type Graph = Omit<GraphView, 'mermaid'>;
export type OperationRecord = TransactionView;
export type BundleRecord = BundleDeployView;
export type SessionRequest = SessionView;
export type SessionRecord = SessionStartView;
/** Whether the server sees the chain now: its RPC may not answer, serve another chain, or not be there. */
export interface Seen {
  readonly chainSight?: 'watched' | 'silent' | 'another_chain' | 'none';
}
export type HandoffRecord = RecordView & Seen;

export const idOf = (record: HandoffRecord): string => ('id' in record ? record.id : record.handle);
