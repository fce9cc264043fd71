import { ClientAuthError } from '../../client/index.js';

/** Is thrown where a server asks for a login, and nobody sits there to do it. */
export class LoginNeededError extends ClientAuthError {
  override readonly name = 'LoginNeededError';
  readonly code = 'login_needed';

  constructor(
    readonly serverUrl: string,
    /** The scopes that the login should ask for. */
    readonly scopes: readonly string[] = [],
  ) {
    const wish = scopes.length === 0 ? '' : ` --scope "${scopes.join(' ')}"`;
    super(`The server asks for a login: run "nestjs-mcp login ${serverUrl}${wish}", then try again`);
  }
}
