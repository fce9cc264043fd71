import { ClientAuthError } from '../../lib/client/authorization/index.js';

/** Is thrown if a server wants a token, and does not say where one logs in. */
export class TokenNeededError extends ClientAuthError {
  override readonly name = 'TokenNeededError';
  readonly code = 'token_needed';

  constructor(readonly serverUrl: string) {
    super(
      'The server asks for a token, and names no authorization server: give a token by "--token-env" (a server of MCP 2025-03-26 may let you "login" all the same)',
    );
  }
}
