/** Apart from the rest, because of its word lists: pages do not need them. */
export { type FoundKey, findKeyMaterial, lookForKeys } from './key-material/find-key-material.js';
