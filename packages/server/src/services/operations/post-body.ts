/** What a page posts: parsed, or still in bytes where it is too large to be parsed beside everything else. */
export type PostBody = { readonly value: unknown } | { readonly large: Uint8Array };
