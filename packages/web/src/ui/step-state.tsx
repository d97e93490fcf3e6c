import { isUntoldStep } from '../flow/outbox-entries.js';
import type { HandoffRecord, Step } from '../model/record.js';
import { Icon } from './icon.js';
import { usePage } from './page-context.js';
import { type State, stepState } from './step-state-words.js';

const UNTOLD: State = { tone: 'bad', icon: 'warning', text: 'Answered, not reported yet' };
const CHANGED: State = { tone: 'bad', icon: 'warning', text: 'Do not sign' };

export function StepState({
  record,
  step,
  waitsFor,
}: {
  readonly record: HandoffRecord;
  readonly step: Step;
  readonly waitsFor?: string | undefined;
}) {
  const { outbox, review } = usePage();
  const { tone, icon, text } = isUntoldStep(outbox.entries.value, record, step)
    ? UNTOLD
    : review.isChanged.value && step.status === 'pending'
      ? CHANGED
      : stepState(record, step, waitsFor);
  return (
    <span class={`state ${tone}`} data-status={step.status}>
      {icon && <Icon name={icon} />}
      {text}
    </span>
  );
}
