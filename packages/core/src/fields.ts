/** An object as JSON has them. Nothing is known of its members; a `Json` value narrows to `JsonObject`. */
export type Fields = Readonly<Record<string, unknown>>;

/** The one guard for objects: no array, not null. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
