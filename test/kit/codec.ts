/** The codec of the server, with its hash. */
export { nodeCodec as codec } from '../../packages/server/src/platform/node-codec.js';
