import { isLoopbackUrl } from '../../../../core/oauth/secure-url.js';
import { REDIRECT_URI } from '../login-options.js';

/**
 * Refuses a place to come back to that is not on this machine.
 *
 * @throws {TypeError} if nothing here could listen there
 * @see RFC 8252 §7.3
 */
export function assertLoopbackRedirect(redirectUri: string = REDIRECT_URI): void {
  if (URL.canParse(redirectUri) && isPlainLoopback(redirectUri)) return;
  throw new TypeError(
    'The "redirectUri" must be an "http:" URL of this machine without query and fragment, such as "http://127.0.0.1/callback"; give an "authorizer" for another',
  );
}

function isPlainLoopback(redirectUri: string): boolean {
  const { protocol, username, password } = new URL(redirectUri);
  const isPlain = username + password === '' && !/[?#]/.test(redirectUri);
  return protocol === 'http:' && isLoopbackUrl(redirectUri) && isPlain;
}
