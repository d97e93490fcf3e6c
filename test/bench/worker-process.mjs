// A worker in a process of its own, with its journal in a file: says yes to each offer, and tells its parent when that is done.
import { Auth, fileJournal, HandoffWorker, MacpClient } from 'macp-sdk-typescript';

const [address = '', agent = '', journal = '', concurrency = '4'] = process.argv.slice(2);
const client = new MacpClient({ address, auth: Auth.devAgent(agent) });
const worker = new HandoffWorker({
  client,
  concurrency: Number(concurrency),
  // The owner sends one context, and nothing after it.
  context: { firstMs: 2_000, quietMs: 0 },
  journal: fileJournal(journal),
  decide: () => true,
  onAnswered: ({ offer: { sessionId } }) => void process.send?.(sessionId),
});
process.on('SIGTERM', () => void worker.stop());
const run = worker.run();
process.send?.('ready');
await run;
client.close();
process.disconnect?.();
