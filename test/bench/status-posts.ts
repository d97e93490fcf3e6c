/** Status posts on an operation with a history: the server's processor time for each. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { cpuMs } from './cpu-time.js';

export const HISTORY = 50;
const OPERATIONS = 20;
/** Posts on each operation once it has its history. */
const POSTS = 20;

const REQUEST = {
  type: 'transfer',
  network: 'bench',
  chainId: 31_337,
  summary: { title: 'A transfer' },
  steps: [{ id: 'pay', label: 'Pay', txRequest: { to: `0x${'1'.repeat(40)}`, value: '0x1', data: '0x' } }],
};

interface Page {
  post(body: object): Promise<void>;
}

async function createPage(client: Client, http: string): Promise<Page> {
  const made = await client.callTool({ name: 'create_operation_handoff', arguments: REQUEST });
  const { data } = made.structuredContent as { data: { id: string; operationUrl: string } };
  const headers = {
    authorization: `Handoff ${new URL(data.operationUrl).hash.replace('#k=', '')}`,
    'content-type': 'application/json',
  };
  return {
    async post(body) {
      const url = `${http}/api/operations/${data.id}/status`;
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${answer.status}: ${text}`);
    },
  };
}

/** The n-th try at the one step: asked of the wallet, then failed. Each is an entry. */
const attempt = (n: number) =>
  n % 2 === 0
    ? { status: 'tx_requested', stepId: 'pay' }
    : { status: 'failed', stepId: 'pay', error: 'the wallet was closed' };

/** Milliseconds of the server's processor time for one post. */
export async function statusPostCpuMs(http: string, pid: number): Promise<number> {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  const requestInit = { headers: { authorization: 'Bearer agent' } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', http), { requestInit }));
  const pages: Page[] = [];
  for (let n = 0; n < OPERATIONS; n++) {
    const page = await createPage(client, http);
    await page.post({ status: 'opened' });
    await page.post({ status: 'wallet_connected' });
    for (let n = 0; n < HISTORY - 3; n++) await page.post(attempt(n));
    pages.push(page);
  }
  await client.close();
  const before = cpuMs(pid);
  for (let n = 0; n < POSTS; n++) for (const page of pages) await page.post(attempt(HISTORY - 3 + n));
  return (cpuMs(pid) - before) / (POSTS * OPERATIONS);
}
