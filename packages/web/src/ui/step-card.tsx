import type { ComponentChildren } from 'preact';
import { isShownOnChain } from '../model/progress.js';
import type { HandoffRecord, Step } from '../model/record.js';
import { Address } from './address.js';
import { AgentsName } from './agent-words.js';
import { Claims, SentBy } from './claims.js';
import { Facts } from './facts.js';
import { usePage } from './page-context.js';
import { StepState } from './step-state.js';
import { stepWords } from './step-words.js';
import { WalletWords } from './wallet-words.js';

export function StepCard({
  record,
  step,
  title,
  name,
  waitsFor,
  action,
  children,
}: {
  readonly record: HandoffRecord;
  readonly step: Step;
  /** This page's own word for it. */
  readonly title: string;
  /** What the agent calls it. */
  readonly name?: string;
  /** What this page lacks to have it signed. */
  readonly waitsFor?: string | undefined;
  readonly action: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const number = record.steps.findIndex(({ id }) => id === step.id) + 1;
  const { busy, chain } = usePage().review;
  const words = stepWords(record, step, {
    currency: chain.value?.currency,
    isPrompting: busy.value?.stepId === step.id,
  });
  const { contract, sessionId, txHash, blockNumber, claims = [] } = step;
  // A single value that counts stands by itself; one that was set aside is called so.
  const isAside = claims.length === 1 && txHash === undefined && sessionId === undefined;
  const facts = [
    txHash !== undefined &&
      claims.length < 2 &&
      ([
        isShownOnChain(record, step) ? 'Transaction' : 'Hash that was told',
        <>
          <code class="hash">{txHash}</code>
          <SentBy claim={claims[0]} />
        </>,
      ] as const),
    contract !== undefined && (['Contract', <Address key="contract" value={contract} />] as const),
    sessionId !== undefined && (['Session', sessionId] as const),
    (claims.length > 1 || isAside) &&
      (['All that was told', <Claims key="claims" record={record} claims={claims} />] as const),
    // Of several each has its own.
    blockNumber !== undefined && claims.length < 2 && (['Block', blockNumber] as const),
  ].filter((fact) => fact !== false);
  return (
    <li class="card step" id={`step-${number}`}>
      <div class="step-head">
        <h3 tabIndex={-1}>
          {record.steps.length > 1 ? `${title} ${number} of ${record.steps.length}` : title}
        </h3>
        <StepState record={record} step={step} waitsFor={waitsFor} />
      </div>
      <AgentsName name={name} />
      {children}
      {facts.length > 0 && <Facts facts={facts} />}
      {words !== undefined && <p class="step-words">{words}</p>}
      <WalletWords record={record} step={step} />
      {action}
    </li>
  );
}
