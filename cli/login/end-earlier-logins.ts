import {
  logOut,
  MemoryCredentialStore,
  type CredentialStore,
  type LogoutOptions,
  type StoredCredentials,
} from '../../lib/client/authorization/index.js';
import type { ReplacedLogin } from './login-stores.js';

/** A login that has just succeeded. */
export interface FinishedLogin {
  readonly issuer: string;
  readonly credentials: StoredCredentials;
}

/** New logins, and the logins that they replace. */
export interface LoginSuccession {
  readonly serverUrl: string;
  readonly store: CredentialStore;
  readonly logins: readonly FinishedLogin[];
  /** The logins that were already replaced in the store. */
  readonly replaced: readonly ReplacedLogin[];
  /** Relaxed checks for authorization servers. @default none */
  readonly leniency?: Pick<LogoutOptions, 'insecureHosts' | 'ignoreIssuerSlash'>;
}

/** The timeout for revoking tokens that are no longer used. */
const TIMEOUT_MS = 5_000;

/**
 * Ends replaced logins: deletes their tokens, and revokes the tokens of other clients. If a token is revoked, many servers also
 * revoke all other tokens of the same user and client (RFC 7009 §2.1), including the new ones.
 *
 * @returns the issuers that did not revoke their tokens
 */
export async function endEarlierLogins(succession: LoginSuccession): Promise<readonly string[]> {
  const { logins, replaced, leniency } = succession;
  if (logins.length === 0) return [];
  const earlier = [...replaced, ...(await forgetElsewhere(succession))];
  const endings = earlier
    .filter((login) => !logins.some((one) => isOfSameClient(one, login)))
    .map(async ({ key, credentials }) =>
      (await withdraw({ key, credentials }, leniency)) ? [] : [key.issuer],
    );
  return (await Promise.all(endings)).flat();
}

/** Deletes the tokens of other issuers. Client registrations remain stored. */
async function forgetElsewhere({
  serverUrl,
  store,
  logins,
}: LoginSuccession): Promise<readonly ReplacedLogin[]> {
  const issuers = await store.issuers(serverUrl);
  const forgotten = issuers
    .filter((issuer) => !logins.some((login) => login.issuer === issuer))
    .map((issuer) => {
      const key = { serverUrl, issuer };
      return store.exclusively(key, async () => {
        const credentials = (await store.get(key)) ?? {};
        const { tokens, ...others } = credentials;
        if (tokens === undefined) return [];
        await store.set(key, others);
        return [{ key, credentials }];
      });
    });
  return (await Promise.all(forgotten)).flat();
}

function isOfSameClient({ issuer, credentials }: FinishedLogin, earlier: ReplacedLogin): boolean {
  const { clientId } = earlier.credentials.registration ?? {};
  return issuer === earlier.key.issuer && credentials.registration?.clientId === clientId;
}

async function withdraw(
  { key, credentials }: ReplacedLogin,
  leniency: LoginSuccession['leniency'],
): Promise<boolean> {
  const store = new MemoryCredentialStore();
  await store.set(key, credentials);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { revocation } = await logOut(key, { store, signal, ...leniency });
  return revocation === 'done' || revocation === 'unneeded';
}
