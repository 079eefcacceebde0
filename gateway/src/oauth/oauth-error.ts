/** The codes of RFC 6749 and RFC 7591 that are answered here. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied';

/** A refusal that a client reads: its code, and a sentence for people without quotation marks, backslashes and secrets. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export function invalidTarget(): OAuthError {
  return new OAuthError('invalid_target', 'The resource is not the address of this server.');
}

export function invalidScope(): OAuthError {
  return new OAuthError('invalid_scope', 'The scopes are read and write.');
}
