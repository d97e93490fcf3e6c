import { byteLength, placeholders, resolvedText } from '../bundle/deployment.js';
import type { Estimate } from '../bundle/estimate.js';
import type { BundleFamily } from '../flow/bundle-family.js';
import { plainText } from '../format/plain-text.js';
import { grouped } from '../format/units.js';
import { currentStep } from '../model/progress.js';
import type { BundleRecord, Deployment, Step } from '../model/record.js';
import { Address } from '../ui/address.js';
import { Facts } from '../ui/facts.js';
import { usePage } from '../ui/page-context.js';
import { Raw } from '../ui/raw.js';
import { type Obstacle, StepAction } from '../ui/step-action.js';
import { StepCard } from '../ui/step-card.js';
import { Cost } from './cost.js';

export function DeploymentStep({
  record,
  step,
  estimate,
  blocked,
}: {
  readonly record: BundleRecord;
  readonly step: Step;
  readonly estimate: Estimate | undefined;
  readonly blocked: Obstacle | undefined;
}) {
  const { family } = usePage();
  const { found } = family as BundleFamily;
  const { deployment } = step;
  const gas = estimate?.gas.get(step.id);
  if (!deployment) return null;
  const address = found.value.get(step.id);
  const shown = step.contract === undefined && address !== undefined ? { ...step, contract: address } : step;
  return (
    <StepCard
      record={record}
      step={shown}
      title={deployment.kind === 'xrc137' ? 'Rule, contract' : 'Process, contract'}
      name={deployment.alias}
      waitsFor={blocked?.waitsFor}
      action={
        <StepAction record={record} step={step} verb={verbFor(record, step)} blocked={blocked} all>
          <Cost estimate={estimate} />
        </StepAction>
      }
    >
      <p class="sentence">
        <What deployment={deployment} />
      </p>
      <Facts
        facts={[
          ['Text on chain', `${grouped(String(byteLength(deployment.text)))} bytes`],
          gas === undefined ? undefined : ['Gas, about', grouped(gas.toString())],
        ]}
      />
      {deployment.kind === 'xrc729' && <Links deployment={deployment} />}
      <Resolved deployment={deployment} />
    </StepCard>
  );
}

function What({ deployment: { kind, reuse, ostcId, itemId } }: { readonly deployment: Deployment }) {
  if (kind === 'xrc137')
    return reuse === undefined ? (
      <>Create an XRC-137 contract that holds this rule.</>
    ) : (
      <>
        This rule is already at <Address value={reuse} />; it stays as it is.
      </>
    );
  const name = (
    <strong>
      <bdi>{plainText(ostcId ?? itemId, 80)}</bdi>
    </strong>
  );
  return reuse === undefined ? (
    <>Create an XRC-729 contract that holds the process {name}, with nobody but you allowed to run it.</>
  ) : (
    <>
      Store the process {name} in the XRC-729 contract at <Address value={reuse} />.
    </>
  );
}

function verbFor(record: BundleRecord, step: Step): string {
  const left = record.steps
    .slice(record.steps.indexOf(step))
    .filter(({ status }) => status !== 'skipped').length;
  if (currentStep(record)?.id !== step.id || left === 1) return 'Deploy in the wallet';
  return `Deploy this and the next ${left - 1}, one prompt each`;
}

/** Which rule each placeholder stands for, and where that rule now is. */
function Links({ deployment }: { readonly deployment: Deployment }) {
  const { family } = usePage();
  const addresses = (family as BundleFamily).addressesOf(deployment.bundleId);
  const aliases = placeholders(deployment.text);
  if (aliases.length === 0) return null;
  return (
    <table>
      <caption>Rules it refers to</caption>
      <thead>
        <tr>
          <th scope="col">Rule</th>
          <th scope="col">Address</th>
        </tr>
      </thead>
      <tbody>
        {aliases.map((alias) => {
          const address = addresses.get(alias);
          return (
            <tr key={alias}>
              <th scope="row">{alias}</th>
              <td>
                {address === undefined ? (
                  <span class="quiet">known once it is deployed</span>
                ) : (
                  <Address value={address} />
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Resolved({ deployment }: { readonly deployment: Deployment }) {
  const { family } = usePage();
  const text = resolvedText(deployment, (family as BundleFamily).addressesOf(deployment.bundleId));
  return (
    <Raw
      title={text === undefined ? 'Exact text, addresses still open' : 'Exact text on chain'}
      value={text ?? deployment.text}
    />
  );
}
