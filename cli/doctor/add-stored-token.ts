import { ClientAuthError, type CredentialStore } from '../../lib/client/authorization/index.js';
import { readDemand } from '../../lib/client/authorization/authorization-headers.js';
import { ProbeError } from '../../lib/core/doctor/probe/probe-wire.js';
import { isSecureUrl } from '../../lib/core/oauth/secure-url.js';
import type { Terminal } from '../command.interface.js';
import { openCredentialStore } from '../server/credential-store.js';
import { parseServerOptions } from '../server/server-options.js';
import { createStoredLoginSource } from '../server/token-source.js';
import { makeVisible } from '../visible-text.js';
import { createTarget } from './create-target.js';
import type { DoctorOptions } from './doctor-options.js';

/**
 * Adds the stored login's token, refreshed if it has expired, unless the caller passed credentials. Never starts a
 * login.
 */
export async function addStoredToken(options: DoctorOptions, terminal: Terminal): Promise<DoctorOptions> {
  const { token, headers, url } = options;
  if (token !== undefined || headers['authorization'] !== undefined || !isSecure(url, options))
    return options;
  try {
    const stored = await findToken(options, terminal);
    return stored === undefined ? options : { ...options, ...stored, isTokenStored: true };
  } catch (error) {
    if (error instanceof ProbeError) return options;
    if (!(error instanceof ClientAuthError)) throw error;
    terminal.complain(`The stored login could not be used: ${makeVisible(error.message)}`);
    return options;
  }
}

/** A token may be bound to a DPoP key, which is stored with it. */
async function findToken(
  options: DoctorOptions,
  terminal: Terminal,
): Promise<Pick<DoctorOptions, 'token' | 'proof'> | undefined> {
  const store = openCredentialStore(terminal);
  const url = await findStoredUrl(store, options);
  if (url === undefined) return undefined;
  const server = {
    ...parseServerOptions(url, options.leniency ?? {}, {}),
    loginTimeoutMs: options.timeoutMs,
  };
  const source = createStoredLoginSource({ server, terminal, store });
  const token = (await source.recall()) ?? (await renew(source, url, options));
  return token === undefined ? undefined : { token, proof: source.proof };
}

/** Finds the URL of the server that has a stored login: the public URL, or else the examined URL. */
async function findStoredUrl(store: CredentialStore, options: DoctorOptions): Promise<URL | undefined> {
  const { url, publicUrl = url } = options;
  for (const candidate of new Set([publicUrl, url])) {
    if (isSecure(candidate, options) && (await hasTokens(store, candidate.href))) return candidate;
  }
  return undefined;
}

function isSecure({ href }: URL, { leniency }: DoctorOptions): boolean {
  return isSecureUrl(href, leniency?.['insecure-host']);
}

async function hasTokens(store: CredentialStore, serverUrl: string): Promise<boolean> {
  const issuers = await store.issuers(serverUrl);
  const stored = await Promise.all(issuers.map((issuer) => store.get({ serverUrl, issuer })));
  return stored.some((credentials) => credentials?.tokens !== undefined);
}

/** The server's challenge names the authorization server that refreshes tokens. */
async function renew(
  source: ReturnType<typeof createStoredLoginSource>,
  url: URL,
  options: DoctorOptions,
): Promise<string | undefined> {
  const { status, headers } = await createTarget(options).initializeAnonymously();
  const { 'www-authenticate': challenge } = headers;
  const response = new Response(null, {
    status: status === 401 ? 401 : 200,
    headers: challenge === undefined ? {} : { 'www-authenticate': challenge },
  });
  const demand = readDemand({ serverUrl: url.href, response, token: undefined });
  if (demand.kind !== 'token') return undefined;
  await source.respond(demand.challenge);
  return source.tokenForScopes([]);
}
