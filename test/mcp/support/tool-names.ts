/** The tools of each set, in the order in which they are listed. */
export const TOOL_NAMES = {
  handoff: [
    'resume',
    'handOff',
    'updateContext',
    'readContext',
    'searchContext',
    'listSessions',
    'declineHandoff',
    'cancelHandoff',
    'closeSession',
    'whoAmI',
    'registerSession',
    'requestHandoff',
  ],
  lifecycle: [
    'listHandoffs',
    'getHandoff',
    'waitForHandoff',
    'acceptHandoff',
    'sendHandoffContext',
    'commitHandoff',
  ],
  admin: ['getConfiguration', 'updateConfiguration', 'manageConfigurationBackup'],
} as const;

/** An estimate, as for briefs: a quarter of the bytes. */
export const tokensOf = (value: unknown): number => Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 4);
