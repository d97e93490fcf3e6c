import { byteLength, LARGE_DOCUMENT } from '../bundle/deployment.js';
import { hasHidden } from '../format/plain-text.js';
import { ProcessGraph } from '../graph/process-graph.js';
import { canSign } from '../model/progress.js';
import type { BundleRecord } from '../model/record.js';
import { PageWarning, type Warning } from '../transaction/warnings.js';
import { AgentWords } from '../ui/agent-words.js';
import { Decline } from '../ui/decline.js';
import { Digest } from '../ui/digest.js';
import { Earlier } from '../ui/earlier.js';
import { Ending } from '../ui/ending.js';
import { Frame } from '../ui/frame.js';
import { Heading } from '../ui/heading.js';
import { Issues } from '../ui/issues.js';
import { NoticeArea } from '../ui/notice.js';
import { Overview } from '../ui/overview.js';
import { usePage } from '../ui/page-context.js';
import { Raw } from '../ui/raw.js';
import { Receipt } from '../ui/receipt.js';
import { WarningList } from '../ui/warning-list.js';
import { useEstimate } from './cost.js';
import { DeploymentStep } from './deployment-step.js';

const TITLE = 'Contracts to deploy';

export function BundlePage({ record }: { readonly record: BundleRecord }) {
  const { review } = usePage();
  const { steps, summary } = record;
  const estimate = useEstimate(record);
  const missing = review.chain.value?.creationCode
    ? undefined
    : {
        waitsFor: 'contract code',
        text: 'This server has no contract code for this network, so this page cannot deploy. The operator can set it.',
      };
  const warnings: readonly Warning[] = [
    ...(hasHidden([summary, record.bundle, record.network]) ? [PageWarning.HiddenCharacters] : []),
    ...(steps.some(({ deployment }) => deployment && byteLength(deployment.text) > LARGE_DOCUMENT)
      ? [PageWarning.LargeDocument]
      : []),
  ];
  return (
    <Frame title={TITLE}>
      <Heading title={TITLE} name={summary.title}>
        An agent has prepared these contracts. Each is created by a transaction of yours; you become their
        owner.
      </Heading>
      <Earlier record={record} />
      <Ending record={record} />
      <section class="card" aria-label="Overview">
        <Overview record={record} more={[['To deploy', contractCount(record)]]} />
        <WarningList warnings={warnings} />
        <Issues issues={record.validation?.warnings} />
      </section>
      {record.graph && record.graph.nodes.length > 0 && (
        <section class="card" aria-labelledby="graph-heading">
          <h2 id="graph-heading">The process</h2>
          <ProcessGraph graph={record.graph} />
        </section>
      )}
      <h2 class="section">
        {canSign(record) ? 'What will be deployed, in this order' : 'What was to be deployed'}
      </h2>
      <ol class="steps">
        {steps.map((step) => (
          <DeploymentStep key={step.id} record={record} step={step} estimate={estimate} blocked={missing} />
        ))}
      </ol>
      <AgentWords summary={summary} />
      <Digest record={record} />
      <Raw title="The whole bundle" value={record.bundle} />
      <Receipt record={record} />
      <Decline record={record} />
      <NoticeArea />
    </Frame>
  );
}

function contractCount({ steps }: BundleRecord): string {
  const rules = steps.filter(({ deployment }) => deployment?.kind === 'xrc137').length;
  const processes = steps.length - rules;
  const skipped = steps.filter(({ status }) => status === 'skipped').length;
  return `${rules} rule${rules === 1 ? '' : 's'} (XRC-137) and ${processes} process${processes === 1 ? '' : 'es'} (XRC-729)${skipped ? `, ${skipped} of them already there` : ''}`;
}
