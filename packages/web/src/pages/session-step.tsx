import { isSecretKey } from '@handover/core';
import { plainText } from '../format/plain-text.js';
import { grouped } from '../format/units.js';
import { currentStep } from '../model/progress.js';
import type { SessionRecord, SessionRequest, Step } from '../model/record.js';
import { Address } from '../ui/address.js';
import { Facts } from '../ui/facts.js';
import { Raw } from '../ui/raw.js';
import { type Obstacle, StepAction } from '../ui/step-action.js';
import { StepCard } from '../ui/step-card.js';
import { withoutSecrets } from './session-page.js';

export function SessionStep({
  record,
  step,
  session,
  blocked,
}: {
  readonly record: SessionRecord;
  readonly step: Step;
  readonly session: SessionRequest | undefined;
  readonly blocked: Obstacle | undefined;
}) {
  if (!session) return null;
  const left = record.steps.length - record.steps.indexOf(step);
  const verb =
    left === 1 || currentStep(record)?.id !== step.id
      ? 'Sign the permit and start'
      : `Start this and the next ${left - 1}, one prompt each`;
  return (
    <StepCard
      record={record}
      step={step}
      title="Session"
      waitsFor={blocked?.waitsFor}
      action={<StepAction record={record} step={step} verb={verb} blocked={blocked} all />}
    >
      <p class="sentence">
        Start the process{' '}
        <strong>
          <bdi>{plainText(session.ostcId, 80)}</bdi>
        </strong>{' '}
        at its step{' '}
        <strong>
          <bdi>{plainText(session.stepId, 80)}</bdi>
        </strong>
        , from the contract <Address value={session.orchestration} />.
      </p>
      <Facts
        facts={[
          [
            'Gas limit, in total',
            session.maxTotalGas === 0
              ? 'None: the process may use as much as it takes'
              : grouped(String(session.maxTotalGas)),
          ],
          [
            'Version',
            session.ostcHash === undefined ? (
              'Whatever the contract holds when it starts'
            ) : (
              <code class="hash">{session.ostcHash}</code>
            ),
          ],
          [
            'Permit ends',
            session.expiry === undefined
              ? '20 minutes after you sign'
              : new Date(session.expiry * 1_000).toLocaleString(),
          ],
        ]}
      />
      <Payload session={session} />
      <Raw title="Exact request" value={withoutSecrets(session)} />
    </StepCard>
  );
}

function Payload({ session: { payload } }: { readonly session: SessionRequest }) {
  const fields = Object.entries(payload);
  if (fields.length === 0) return <p class="quiet">It starts without any values.</p>;
  return (
    <table>
      <caption>Values it starts with</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(([key, value]) => (
          <tr key={key}>
            <th scope="row">{plainText(key, 64)}</th>
            <td>
              {isSecretKey(key) ? (
                <span class="quiet">secret, sent to the network only</span>
              ) : (
                <bdi>{plainText(value, 500)}</bdi>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
