import type { Json, JsonObject } from '../log/json.js';
import type { ModeDescriptor } from '../modes/mode.js';

/** A mode descriptor as facts, and back. */
export function descriptorToFacts(descriptor: ModeDescriptor): JsonObject {
  return {
    mode: descriptor.mode,
    mode_version: descriptor.modeVersion,
    title: descriptor.title,
    description: descriptor.description,
    determinism_class: descriptor.determinismClass,
    participant_model: descriptor.participantModel,
    message_types: descriptor.messageTypes,
    terminal_message_types: descriptor.terminalMessageTypes,
    schema_uris: descriptor.schemaUris,
  };
}

export function descriptorFromFacts(facts: JsonObject): ModeDescriptor {
  return {
    mode: text(facts.mode),
    modeVersion: text(facts.mode_version),
    title: text(facts.title),
    description: text(facts.description),
    determinismClass: text(facts.determinism_class),
    participantModel: text(facts.participant_model),
    messageTypes: texts(facts.message_types),
    terminalMessageTypes: texts(facts.terminal_message_types),
    schemaUris: (facts.schema_uris ?? {}) as Record<string, string>,
  };
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const texts = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
