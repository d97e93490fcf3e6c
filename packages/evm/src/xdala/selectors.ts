/** Selectors of the functions that read XRC contracts, without 0x. */
export const Selector = {
  owner: '8da5cb5b',
  getOwner: '893d20e8',
  getExecutorList: 'b6a0a31a',
  getOstc: '9335a4d1',
  getOstcMeta: '3d9b1fcf',
  getRule: 'b78ba7c8',
} as const;
