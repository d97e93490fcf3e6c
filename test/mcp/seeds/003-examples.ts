/** The code of the seed page, character for character, and which arguments it calls required. */
export const SEED_EXAMPLES = {
  registerSession: `const res = await client.callTool({
  name: 'registerSession',
  arguments: { sessionKey: 'session-' + Date.now(), agentFrom: 'docs', metadata: { purpose: 'api-ref' } }
});
const payload = JSON.parse(res.content[0].text);`,
  updateContext: `const res = await client.callTool({
  name: 'updateContext',
  arguments: { sessionKey, contextType: 'message', content: 'Hello', metadata: { source: 'user' } }
});
const payload = JSON.parse(res.content[0].text);`,
  requestHandoff: `const res = await client.callTool({
  name: 'requestHandoff',
  arguments: {
    sessionKey,
    targetAgent: 'downstream-assistant',
    requestType: 'context_transfer',
    requestData: { instructions: 'Continue', priority: 'normal' }
  }
});
const payload = JSON.parse(res.content[0].text);`,
} as const;

export const SEED_TOOLS = {
  registerSession: { required: ['sessionKey', 'agentFrom'] },
  updateContext: { required: ['sessionKey', 'contextType', 'content'] },
  requestHandoff: { required: ['sessionKey', 'targetAgent', 'requestType'] },
  updateConfiguration: { required: ['updates'] },
  manageConfigurationBackup: { required: ['action'] },
} as const;
