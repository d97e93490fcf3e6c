import { rows } from '../row.js';

/** Task Mode: who does what (9.2) and each message (9.3). */
export const taskModeRequirements = [
  ...rows('MACP-2026', '9.2', {
    'mode:task:9.2': 'The initiator gives the task to others; somebody besides the initiator takes part.',
    'mode:task:9.2:participants': 'The list holds somebody besides the initiator, who need not be in it.',
    'mode:task:9.2:request': 'A TaskRequest by anybody but the initiator is FORBIDDEN.',
    'mode:task:9.2:listed': 'All other types are FORBIDDEN to whoever is not listed.',
  }),
  ...rows('MACP-2026', '9.3', {
    'mode:task:9.3':
      'One task, one assignee, one terminal report; the policy says whether work can be given back.',
    'mode:task:9.3:decodes': 'A payload that does not decode is INVALID_ENVELOPE.',
    'mode:task:9.3:task-id': 'Every later message names the task.',
    'mode:task:9.3:request:once': 'There is one TaskRequest.',
    'mode:task:9.3:request:id': 'It has a task id.',
    'mode:task:9.3:request:assignee': 'The requested assignee is empty or a participant.',
    'mode:task:9.3:request:deadline': 'deadline_unix_ms is not enforced.',
    'mode:task:9.3:eligible':
      'Eligible is the requested assignee or, if there is none, anybody but the initiator; else FORBIDDEN.',
    'mode:task:9.3:assignee-field': 'The field assignee is empty or the sender.',
    'mode:task:9.3:accept:assigned': 'What is assigned is not taken again.',
    'mode:task:9.3:accept:reported': 'Nor what was given back after its report.',
    'mode:task:9.3:accept:declined': 'Who has rejected it does not take it afterwards.',
    'mode:task:9.3:accept:reassigned': 'What was given back is taken by another where the policy allows it.',
    'mode:task:9.3:accept:order': 'The field assignee is judged before eligibility.',
    'mode:task:9.3:reject:own':
      'A rejection before assignment is a decline of one’s own: by who is eligible, once.',
    'mode:task:9.3:reject:assignee': 'What is assigned its assignee alone rejects.',
    'mode:task:9.3:reject:policy':
      'And only where the policy allows it: POLICY_DENIED reassignment_not_allowed.',
    'mode:task:9.3:reject:clears': 'That clears the assignment.',
    'mode:task:9.3:report:assignee': 'Updates and reports by anybody but the assignee are FORBIDDEN.',
    'mode:task:9.3:report:once':
      'After the terminal report all of them are FORBIDDEN; the session stays open.',
    'mode:task:9.3:report:stays': 'A report stays when the work is given back.',
    'mode:task:9.3:commitment:authority': 'Who may commit is judged first.',
    'mode:task:9.3:commitment:report': 'A Commitment needs a terminal report.',
    'mode:task:9.3:commitment:outcome-free': 'Its outcome is not compared with the report.',
    'mode:task:9.3:commitment:declined':
      'Without one, a negative outcome after the requested assignee declined what was never assigned.',
    'mode:task:9.3:commitment:output':
      'require_output: a positive outcome needs a TaskComplete with an output: output_required.',
  }),
];
