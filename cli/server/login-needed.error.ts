import { ClientAuthError } from '../../lib/client/authorization/index.js';
import { quoteVisible } from '../visible-text.js';
import { formatLoginCommand, type NeededLogin } from './format-login-command.js';

/** Is thrown if a server asks for a login, or for more than one allows, and nobody sits there to do it. */
export class LoginNeededError extends ClientAuthError {
  override readonly name = 'LoginNeededError';
  readonly code = 'login_needed';

  constructor(
    readonly login: NeededLogin,
    /** The required scopes that the stored login lacks; empty if there is no login. */
    readonly lacking: readonly string[] = [],
  ) {
    super(explain(lacking, formatLoginCommand(login)));
  }
}

function explain(lacking: readonly string[], command: string): string {
  if (lacking.length === 0) {
    return `The server asks for a login: run the following and try again, or give a token by "--token-env"\n  ${command}`;
  }
  const named = lacking.map((scope) => quoteVisible(scope)).join(', ');
  const noun = lacking.length === 1 ? 'scope' : 'scopes';
  return `The login lacks the ${noun} ${named}: run the following and try again, or give a token by "--token-env"\n  ${command}`;
}
