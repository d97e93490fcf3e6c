/** What `verify` says in the end of a receipt whose signature holds. */
export const SIGNER_KNOWN = 'OK: signature valid, signer known\n';
export const SIGNER_UNKNOWN =
  'signature valid, signer unknown; --key names the public key of the server, --data-dir the folder that holds it\n';
