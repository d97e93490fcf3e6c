/** Starts a server, says where it is, and waits to be killed. */
import { startPostgres } from '../../kit/postgres/server.js';

const server = await startPostgres();
const [row] = await server.sql("SELECT split_part(pg_read_file('postmaster.pid'), chr(10), 1) AS pid");
console.log(`${server.socketFolder} ${String(row?.pid)}`);
setInterval(() => {}, 60_000);
