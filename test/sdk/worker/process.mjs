// A worker of its own, to be killed: it writes down each decision and each acknowledgement before it goes on.
import { appendFileSync } from 'node:fs';
import { Auth, fileJournal, HandoffWorker, MacpClient } from 'macp-sdk-typescript';

const [address = '', agent = '', journal = '', log = ''] = process.argv.slice(2);
const write = (line) => appendFileSync(log, `${JSON.stringify(line)}\n`);
const client = new MacpClient({ address, auth: Auth.devAgent(agent) });
const worker = new HandoffWorker({
  client,
  context: { firstMs: 2_000, quietMs: 20 },
  concurrency: 8,
  journal: fileJournal(journal),
  async decide({ sessionId, attempt, contexts }) {
    write({ event: 'decide', sessionId, attempt, contexts: contexts.length });
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
    return Math.random() < 0.5 ? { accept: true, reason: `attempt ${attempt}` } : false;
  },
  onAnswered: ({ offer: { sessionId }, attempt, unseen }) =>
    write({ event: 'answered', sessionId, attempt, unseen }),
});
process.on('SIGTERM', () => void worker.stop());
console.log('ready');
await worker.run();
client.close();
