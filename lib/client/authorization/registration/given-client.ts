import type { CredentialStore } from '../credentials/credential-store.interface.js';

/** A given client id without a named issuer. */
export interface GivenClient {
  readonly serverUrl: string;
  readonly clientId: string;
}

/**
 * Finds out with which other issuer a given client id is used already. It belongs to the first issuer with which it is
 * used. If a server names another issuer later, because it was taken over for example, that issuer gets neither the id nor
 * its secret.
 */
export async function findOtherIssuer(
  store: CredentialStore,
  { serverUrl, clientId }: GivenClient,
  issuer: string,
): Promise<string | undefined> {
  for (const other of await store.issuers(serverUrl)) {
    if (other === issuer) continue;
    const { registration } = (await store.get({ serverUrl, issuer: other })) ?? {};
    if (registration?.origin === 'given' && registration.clientId === clientId) return other;
  }
  return undefined;
}
