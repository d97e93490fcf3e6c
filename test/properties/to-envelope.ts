/** Translates the model's words into envelopes, so that model and runtime can be asked the same question. */
import type { Envelope } from '@handover/core';
import { commit, envelope } from '../kit/envelopes.js';
import type { Said } from '../model/handoff-model.js';

export function toEnvelope(sessionId: string, message: Said): Envelope {
  const { sender } = message;
  switch (message.type) {
    case 'offer': {
      const { handoffId, target } = message;
      return envelope(sessionId, sender, 'HandoffOffer', {
        handoffId,
        targetParticipant: target,
        scope: '',
        reason: '',
      });
    }
    case 'context': {
      const { handoffId } = message;
      return envelope(sessionId, sender, 'HandoffContext', {
        handoffId,
        contentType: '',
        context: new Uint8Array(0),
      });
    }
    case 'accept': {
      const { handoffId, acceptedBy, implicit } = message;
      return envelope(sessionId, sender, 'HandoffAccept', { handoffId, acceptedBy, reason: '', implicit });
    }
    case 'decline': {
      const { handoffId, declinedBy } = message;
      return envelope(sessionId, sender, 'HandoffDecline', { handoffId, declinedBy, reason: '' });
    }
    case 'commit': {
      const { positive, action, versionsMatch } = message;
      const modeVersion = versionsMatch ? '1.0.0' : '0.9.0';
      return commit(sessionId, sender, { outcomePositive: positive, action, modeVersion });
    }
    case 'unknown':
      return { ...commit(sessionId, sender), messageType: 'HandoffTeleport' };
  }
}
