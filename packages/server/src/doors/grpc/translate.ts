/** Both doors of the protocol send the same messages. */
export {
  fromModeDescriptor,
  toLifecycleEvent,
  toModeDescriptor,
  toPolicyDescriptor,
  toSessionMetadata,
  toTransportEndpoint,
} from '../../services/macp/rpc/translate.js';
