/** Names that the multi-round mode puts on the wire. It is an extension mode that is built in. */
export const MULTI_ROUND_MODE = 'ext.multi_round.v1';

export const MultiRoundMessageType = { Contribute: 'Contribute' } as const;
