const unknownAuthority = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** What an operator can do about an error of a connection with TLS; null for every other error. */
export function explainTlsError(error: unknown): string | null {
  const { code = '', message } = error as { code?: string; message?: string };
  if (unknownAuthority.has(code))
    return 'its certificate is signed by an authority that this process does not know; see REDIS_TLS_CA';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `its certificate is for another host (${message})`;
  if (code === 'CERT_HAS_EXPIRED') return 'its certificate has expired';
  return null;
}
