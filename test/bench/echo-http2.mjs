// The floor under the yardstick: Node's http2 alone, answering every request with the same bytes.
import { createServer } from 'node:http2';

const reply = Buffer.from(process.argv[2] ?? '', 'hex');
const server = createServer();
server.on('stream', (stream) => {
  stream.on('data', () => {});
  stream.on('end', () => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
    stream.end(reply);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`ready ${server.address().port}`));
