import type { StoredRegistration } from '../../credentials/credential-store.interface.js';
import type { Authorizer } from '../authorizer.interface.js';
import { LOGIN_TIMEOUT_MS, REDIRECT_URI, type BrowserOptions } from '../login-options.js';
import { LoopbackAuthorizer } from './loopback-authorizer.js';
import { openBrowser as openBrowserOfSystem } from './open-browser.js';

/** Which issuer a user is taken to, and what the client is there already. */
export interface LoginPlace {
  readonly issuer: string;
  readonly known: readonly StoredRegistration[];
}

/**
 * Gives what takes a user to the authorization server. If the client registered itself with a port of this machine,
 * that port is used again if it is free, because not every authorization server accepts another port.
 *
 * @throws {RedirectUnavailableError} if nothing can listen at the place to come back to
 * @see RFC 8252 §7.3
 */
export async function openAuthorizer(
  options: BrowserOptions,
  { issuer, known }: LoginPlace,
): Promise<Authorizer> {
  if (options.authorizer !== undefined) return options.authorizer;
  const { redirectUri = REDIRECT_URI, loginTimeoutMs: timeoutMs = LOGIN_TIMEOUT_MS } = options;
  const { openBrowser = openBrowserOfSystem, present = print, readAnswer } = options;
  // A place that somebody named is the place.
  const ownIssuer = options.redirectUri === undefined ? issuer : undefined;
  const earlierUris = known.flatMap(findRedirectUris);
  return LoopbackAuthorizer.listen({
    redirectUri,
    issuer: ownIssuer,
    earlierUris,
    openBrowser,
    present,
    readAnswer,
    timeoutMs,
  });
}

function findRedirectUris({ origin, metadata }: StoredRegistration): readonly string[] {
  const registered = origin === 'dynamic' ? metadata?.['redirect_uris'] : undefined;
  return Array.isArray(registered) ? registered.map(String) : [];
}

function print(url: string): void {
  process.stderr.write(`Open this address in your browser to log in:\n${url}\n`);
}
