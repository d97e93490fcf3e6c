import { rows } from './row.js';

/** Sessions, policies and modes of MACP as it is today, where other files have no row yet. */
export const sessions2026Requirements = [
  ...rows('MACP-2026', '4.1', {
    'macp-2026:4.1:id-at-start-only':
      'The form of a session id is judged at the start; elsewhere no session is found.',
    'macp-2026:4.1:started-at': 'started_at is the time of acceptance, whatever the client’s clock says.',
  }),
  ...rows('MACP-2026', '4.6', {
    'macp-2026:4.6:recorded': 'A session records the revision of its rules.',
    'macp-2026:4.6:older': 'A session of an older revision keeps its rules.',
    'macp-2026:4.6:newer': 'A session of a newer revision is refused on replay.',
  }),
  ...rows('MACP-2026', '6.1', {
    'macp-2026:6.1:path': 'The refusal of a definition names the path.',
  }),
  ...rows('MACP-2026', '6.2', {
    'macp-2026:6.2:closed': 'Rules of the five standard modes are closed at every level.',
    'macp-2026:6.2:free': 'Rules of extension modes are free.',
    'macp-2026:6.2:reserved-modes':
      'A policy for a mode under macp.mode. that is not served is refused at registration.',
  }),
  ...rows('MACP-2026', '6.3', {
    'macp-2026:6.3:decision': 'Rules of Decision Mode have these keys, types and domains.',
    'macp-2026:6.3:proposal': 'So have those of Proposal Mode.',
    'macp-2026:6.3:task': 'Of Task Mode.',
    'macp-2026:6.3:handoff': 'Of Handoff Mode.',
    'macp-2026:6.3:quorum': 'Of Quorum Mode.',
    'macp-2026:6.3:meant':
      'A quorum by percentage is in percent: one above 100 or between 0 and 1 is refused at registration.',
    'macp-2026:6.3:commitment': 'Of all modes: authority and designated roles.',
  }),
  ...rows('MACP-2026', '6.4', {
    'macp-2026:6.4:every-mode': 'schema_version 1, 2 and 3 are admitted for every mode, no other.',
  }),
  ...rows('MACP-2026', '6.5', {
    'macp-2026:6.5:profiles': 'The three profiles are readable, say what the protocol says, and stay.',
  }),
  ...rows('MACP-2026', '6.6', {
    'macp-2026:6.6:list': 'ListPolicies has the policies of the mode and of every mode, by id.',
  }),
  ...rows('MACP-2026', '6.7', {
    'macp-2026:6.7:denies': 'Rules that cannot be read, and an unknown version, deny every Commitment.',
  }),
  ...rows('MACP-2026', '7', {
    'macp-2026:7:descriptors': 'Each mode has the descriptor of the protocol.',
    'macp-2026:7:views': 'What a mode shows of its state is what the model has, in every state.',
  }),
  ...rows('MACP-2026', '12', {
    'macp-2026:12:recorded': 'A recorded registration of a built-in mode is ignored.',
  }),
];
