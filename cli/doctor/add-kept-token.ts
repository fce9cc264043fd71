import { ClientAuthError, type CredentialStore } from '../../lib/client/authorization/index.js';
import { readDemand } from '../../lib/client/authorization/authorization-challenge.js';
import { ProbeError } from '../../lib/core/doctor/probe/probe.error.js';
import { isSecureUrl } from '../../lib/core/oauth/secure-url.js';
import type { Terminal } from '../command.interface.js';
import { openCredentialStore } from '../server/credential-store.js';
import { parseServerOptions } from '../server/server-options.js';
import { createKeptLoginSource } from '../server/token-source.js';
import { makeVisible } from '../visible-text.js';
import { createTarget } from './create-target.js';
import type { DoctorOptions } from './doctor-options.js';

/** Adds the token of the login that is kept, renewed if its time is up, if nothing else says who asks. No login is begun. */
export async function addKeptToken(options: DoctorOptions, terminal: Terminal): Promise<DoctorOptions> {
  const { token, headers, url } = options;
  if (token !== undefined || headers['authorization'] !== undefined || !isSecure(url, options))
    return options;
  try {
    const kept = await findToken(options, terminal);
    return kept === undefined ? options : { ...options, ...kept, isTokenKept: true };
  } catch (error) {
    if (error instanceof ProbeError) return options;
    if (!(error instanceof ClientAuthError)) throw error;
    terminal.complain(`The login that is kept is not used: ${makeVisible(error.message)}`);
    return options;
  }
}

/** A token may be bound to a key, which is kept with it. */
async function findToken(
  options: DoctorOptions,
  terminal: Terminal,
): Promise<Pick<DoctorOptions, 'token' | 'proof'> | undefined> {
  const store = openCredentialStore(terminal);
  const place = await findPlace(store, options);
  if (place === undefined) return undefined;
  const server = {
    ...parseServerOptions(place, options.leniency ?? {}, {}),
    loginTimeoutMs: options.timeoutMs,
  };
  const source = createKeptLoginSource({ server, terminal, store });
  const token = (await source.recall()) ?? (await renew(source, place, options));
  return token === undefined ? undefined : { token, proof: source.proof };
}

/** Finds for which URL of the server a login is kept: that of clients goes before that of the one process. */
async function findPlace(store: CredentialStore, options: DoctorOptions): Promise<URL | undefined> {
  const { url, publicUrl = url } = options;
  for (const place of new Set([publicUrl, url])) {
    if (isSecure(place, options) && (await hasTokens(store, place.href))) return place;
  }
  return undefined;
}

function isSecure({ href }: URL, { leniency }: DoctorOptions): boolean {
  return isSecureUrl(href, leniency?.['insecure-host']);
}

async function hasTokens(store: CredentialStore, serverUrl: string): Promise<boolean> {
  const issuers = await store.issuers(serverUrl);
  const kept = await Promise.all(issuers.map((issuer) => store.get({ serverUrl, issuer })));
  return kept.some((credentials) => credentials?.tokens !== undefined);
}

/** The server says by its refusal who renews tokens. */
async function renew(
  source: ReturnType<typeof createKeptLoginSource>,
  place: URL,
  options: DoctorOptions,
): Promise<string | undefined> {
  const { status, headers } = await createTarget(options).initializeAnonymously();
  const { 'www-authenticate': challenge } = headers;
  const response = new Response(null, {
    status: status === 401 ? 401 : 200,
    headers: challenge === undefined ? {} : { 'www-authenticate': challenge },
  });
  const demand = readDemand({ serverUrl: place.href, response, token: undefined });
  if (demand.kind !== 'token') return undefined;
  await source.respond(demand.challenge);
  return source.tokenForScopes([]);
}
