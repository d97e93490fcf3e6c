import { holdsRedacted, isSecretKey } from '@handover/core';
import { hasHidden } from '../format/plain-text.js';
import { ProcessGraph } from '../graph/process-graph.js';
import { canSign } from '../model/progress.js';
import type { JsonRecord, SessionRecord } from '../model/record.js';
import { PageWarning } from '../transaction/warnings.js';
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
import type { Obstacle } from '../ui/step-action.js';
import { WarningList } from '../ui/warning-list.js';
import { canEndQueue, EndQueue } from './end-queue.js';
import { SessionStep } from './session-step.js';

export function SessionPage({ record }: { readonly record: SessionRecord }) {
  const { review } = usePage();
  const summary = (record.request.summary ?? {}) as JsonRecord;
  const count = record.request.sessions.length;
  const title = count === 1 ? 'A session to start' : `${count} sessions to start`;
  const missing = holdsRedacted(record.request)
    ? WITHOUT_SECRETS
    : review.chain.value?.rpcUrl
      ? undefined
      : withoutNode(record.chainId);
  return (
    <Frame title={title}>
      <Heading title={title} name={summary.title}>
        An agent has prepared this. Your wallet signs a permit for each session; it costs nothing by itself,
        and it lets the process run in your name up to the gas limit shown.
      </Heading>
      <Earlier record={record} />
      <Ending record={record} />
      <section class="card" aria-label="Overview">
        <Overview record={record} more={[['To start', `${count} session${count === 1 ? '' : 's'}`]]} />
        <WarningList warnings={hasHidden(record.request) ? [PageWarning.HiddenCharacters] : []} />
        <Authority authority={record.authority} />
        <Issues issues={record.validation?.warnings} />
      </section>
      {record.graph && record.graph.nodes.length > 0 && (
        <section class="card" aria-labelledby="graph-heading">
          <h2 id="graph-heading">The process</h2>
          <ProcessGraph graph={record.graph} />
        </section>
      )}
      <h2 class="section">{canSign(record) ? 'What will be started' : 'What was to be started'}</h2>
      <ol class="steps">
        {record.steps.map((step, index) => (
          <SessionStep
            key={step.id}
            record={record}
            step={step}
            session={record.request.sessions[index]}
            blocked={missing}
          />
        ))}
      </ol>
      <EndQueue record={record} />
      <AgentWords summary={summary} />
      <Digest record={record} />
      <Raw title="The whole request" value={withoutSecrets(record.request)} />
      <Receipt record={record} />
      {!canEndQueue(record) && <Decline record={record} />}
      <NoticeArea />
    </Frame>
  );
}

const WITHOUT_SECRETS: Obstacle = {
  waitsFor: 'its secret values',
  text: 'This page was not given the secret values of the request, so it cannot start it. Open the link of your agent again.',
};

const withoutNode = (chainId: number): Obstacle => ({
  waitsFor: 'a public node',
  text: `This server names no public node for this network, so this page cannot start sessions. The setting HANDOVER_PUBLIC_RPC_URL_${chainId} names one.`,
});

const AUTHORITY: Readonly<Record<string, string>> = {
  signer_not_authorized:
    'The account that should sign is neither the owner of the process nor on its list: the network will probably refuse.',
  authority_unavailable: 'It could not be read who may start this process.',
};

function Authority({ authority }: { readonly authority: JsonRecord | undefined }) {
  const status = typeof authority?.authorityStatus === 'string' ? authority.authorityStatus : '';
  const text = Object.hasOwn(AUTHORITY, status) ? AUTHORITY[status] : undefined;
  return text === undefined ? null : (
    <p class="notice error" role="note">
      {text}
    </p>
  );
}

/** Hides secrets, because others may see the screen or a screenshot. */
export function withoutSecrets(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      isSecretKey(key) ? '(hidden)' : withoutSecrets(member),
    ]),
  );
}
