export function checkReceipt(text: string, trustedKey?: string): { valid: boolean; known: boolean };
