import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { plainText } from '../format/plain-text.js';
import type { HandoffRecord, Step } from '../model/record.js';
import { Address } from './address.js';
import { Facts } from './facts.js';
import { StepState } from './step-state.js';

export function StepCard({
  record,
  step,
  title,
  children,
}: {
  readonly record: HandoffRecord;
  readonly step: Step;
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(step.status);
  useEffect(() => {
    // The focused button disappears when the state changes: keep the keyboard focus at this step.
    if (before.current !== step.status && document.activeElement === document.body) heading.current?.focus();
    before.current = step.status;
  }, [step.status]);
  const number = record.steps.indexOf(step) + 1;
  const { contract, sessionId, txHash, blockNumber } = step;
  const facts = [
    txHash !== undefined &&
      ([
        'Transaction',
        <code class="hash" key="tx">
          {txHash}
        </code>,
      ] as const),
    contract !== undefined && (['Contract', <Address key="contract" value={contract} />] as const),
    sessionId !== undefined && (['Session', sessionId] as const),
    blockNumber !== undefined && (['Block', blockNumber] as const),
  ].filter((fact) => fact !== false);
  return (
    <li class="card step" id={`step-${number}`}>
      <div class="step-head">
        <h3 ref={heading} tabIndex={-1}>
          {record.steps.length > 1 && (
            <span class="count">
              {number} of {record.steps.length}
            </span>
          )}
          <bdi>{plainText(title, 200)}</bdi>
        </h3>
        <StepState record={record} step={step} />
      </div>
      {children}
      {step.error !== undefined && (step.status === 'failed' || step.verification === 'mismatched') && (
        <p class="quiet">
          Reported: <bdi>{plainText(step.error, 300)}</bdi>
        </p>
      )}
      {facts.length > 0 && <Facts facts={facts} />}
    </li>
  );
}
