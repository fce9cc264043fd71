import {
  logOut,
  MemoryCredentialStore,
  type CredentialStore,
  type LogoutOptions,
  type StoredCredentials,
} from '../../lib/client/authorization/index.js';
import type { ReplacedLogin } from './login-stores.js';

/** A login that has just been done. */
export interface FinishedLogin {
  readonly issuer: string;
  readonly credentials: StoredCredentials;
}

/** Which logins there are, and which there were. */
export interface LoginSuccession {
  readonly serverUrl: string;
  readonly store: CredentialStore;
  readonly logins: readonly FinishedLogin[];
  /** Those in whose place they stand already. */
  readonly replaced: readonly ReplacedLogin[];
  /** Relaxed checks of authorization servers. @default none */
  readonly leniency?: Pick<LogoutOptions, 'insecureHosts' | 'ignoreIssuerSlash'>;
}

/** How long an authorization server may take to withdraw what nobody uses any more. */
const TIMEOUT_MS = 5_000;

/**
 * Ends logins that others have replaced. It forgets their tokens, and revokes those of another client. Many a server
 * ends with a token all that its user allowed the same client (RFC 7009 §2.1), the new tokens too.
 *
 * @returns the issuers that have not withdrawn what they gave
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

/** What the client is at another issuer stays known. */
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
