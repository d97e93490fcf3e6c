/** Rate limits that no test reaches, for tests that are about something else. */
export const NO_RATE_LIMITS = {
  MACP_SESSION_START_LIMIT_PER_MINUTE: '1000000',
  MACP_MESSAGE_LIMIT_PER_MINUTE: '1000000',
};
