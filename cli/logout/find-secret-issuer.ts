import type { CredentialStore } from '../../lib/client/authorization/index.js';
import { UsageError } from '../usage.error.js';

/** Whose secret it could be. */
export interface SecretClaim {
  readonly serverUrl: string;
  /** The issuers for which something is kept. */
  readonly issuers: readonly string[];
  /** The client that the secret is of; absent if that is not said. */
  readonly clientId: string | undefined;
}

/**
 * Finds the issuer that a client's secret is for. It is shown to no other, and to nobody if it could be that of several.
 *
 * @throws {UsageError} if it is not clear whose it is
 * @see RFC 6749 §2.3.1
 */
export async function findSecretIssuer(
  store: CredentialStore,
  { serverUrl, issuers, clientId }: SecretClaim,
): Promise<string | undefined> {
  const found = await Promise.all(
    issuers.map(async (issuer) => {
      const { registration } = (await store.get({ serverUrl, issuer })) ?? {};
      const isMeant = clientId === undefined || registration?.clientId === clientId;
      return registration?.origin === 'given' && isMeant ? [issuer] : [];
    }),
  );
  const [issuer, ...others] = found.flat();
  if (issuer === undefined && clientId !== undefined && issuers.length > 0) {
    throw new UsageError('"--client-id" must be an id that you gave at a login to this server');
  }
  if (others.length === 0) return issuer;
  const remedy = clientId === undefined ? 'come with "--client-id"' : 'be left out';
  throw new UsageError(
    `"--client-secret-env" must ${remedy}: it could be the secret of clients at several authorization servers`,
  );
}
