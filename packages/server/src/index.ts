/** What other programs may build on: the server itself, and how it is configured. */
export {
  type Configuration,
  type ConfigurationFlags,
  readConfiguration,
  settings,
} from './config/configuration.js';
export { createLog, type Log, silentLog } from './observe/log.js';
export { type Server, type ServerOptions, startServer } from './server.js';
