// The yardstick: a bare @grpc/grpc-js server that decodes nothing, stores nothing and answers every Send with the same
// bytes. What a durable Send costs is measured against this, in the same run.
import { Server, ServerCredentials } from '@grpc/grpc-js';

const reply = Buffer.from(process.argv[2] ?? '', 'hex');
const raw = {
  requestSerialize: (b) => b,
  requestDeserialize: (b) => b,
  responseSerialize: (b) => b,
  responseDeserialize: (b) => b,
};
const method = (path, stream) => ({ path, requestStream: stream, responseStream: stream, ...raw });
const server = new Server();
server.addService(
  {
    Send: method('/macp.v1.MACPRuntimeService/Send', false),
    StreamSession: method('/macp.v1.MACPRuntimeService/StreamSession', true),
  },
  {
    Send: (_call, callback) => callback(null, reply),
    StreamSession: (call) => {
      call.on('data', (bytes) => call.write(bytes));
      call.on('end', () => call.end());
    },
  },
);
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(`ready ${port}`);
});
