import type {
  CredentialKey,
  CredentialStore,
} from '../../../lib/client/authorization/credentials/credential-store.js';

/** Somebody who has begun to work alone, and what ends it. */
export interface HeldCredentials {
  readonly held: Promise<void>;
  readonly end: () => void;
}

/** Begins to work alone on somebody's credentials, and goes on until told to end. */
export async function holdCredentials(store: CredentialStore, key: CredentialKey): Promise<HeldCredentials> {
  let end = (): void => undefined;
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const work = new Promise<void>((resolve) => (end = resolve));
  const held = store.exclusively(key, () => {
    begin();
    return work;
  });
  await begun;
  return { held, end };
}
