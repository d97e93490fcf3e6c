import { textCall } from '@handover/evm';

export { encodeText } from '@handover/evm';

export const nodeTexts = { call: (selector: string, text: string) => textCall(selector, text) };
