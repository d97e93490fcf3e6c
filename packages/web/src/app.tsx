import type { HandoffRecord } from './model/record.js';
import { BundlePage } from './pages/bundle-page.js';
import { OperationPage } from './pages/operation-page.js';
import { SessionPage } from './pages/session-page.js';
import { Frame } from './ui/frame.js';
import { GonePage } from './ui/gone.js';
import { type Page, PageContext } from './ui/page-context.js';

export function App({ page }: { readonly page: Page }) {
  const { value: view } = page.review.view;
  if (view.kind === 'gone') return <GonePage why={view.why} />;
  if (view.kind === 'loading')
    return (
      <Frame title="Loading">
        <h1 class="hidden">Loading</h1>
        <p class="empty" role="status">
          Loading the request…
        </p>
      </Frame>
    );
  return (
    <PageContext.Provider value={page}>
      <RecordPage record={view.record} />
    </PageContext.Provider>
  );
}

function RecordPage({ record }: { readonly record: HandoffRecord }) {
  switch (record.family) {
    case 'operation':
      return <OperationPage record={record} />;
    case 'bundle_deploy':
      return <BundlePage record={record} />;
    case 'session_start':
      return <SessionPage record={record} />;
  }
}
