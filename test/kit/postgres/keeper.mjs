// Runs one PostgreSQL and ends it when whoever started this goes away, however that happens: its end of stdin closes.
// What is left of it, the folder, goes too. Usage: node keeper.mjs FOLDER UID COMMAND...
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

const [folder, uid, command, ...args] = process.argv.slice(2);
const ids = uid === '' ? {} : { uid: Number(uid), gid: Number(uid) };
const server = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: true, ...ids });
let isOver = false;

function end() {
  if (isOver) return;
  isOver = true;
  if (folder !== '') rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  process.exit(0);
}

server.once('error', (error) => {
  console.error(String(error));
  end();
});
server.once('exit', end);
// Not slowly: nobody is left who could want what it holds.
const stop = () => void server.kill('SIGQUIT');
process.stdin
  .on('data', () => {})
  .once('end', stop)
  .once('error', stop);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, stop);
