export { readRulesText } from '../../../services/macp/rpc/rules-text.js';
