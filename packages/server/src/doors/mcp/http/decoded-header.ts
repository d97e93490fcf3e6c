/** Headers carry ASCII only, so names that do not are percent-encoded. Undefined: it cannot be read. */
export function decodedHeader(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
