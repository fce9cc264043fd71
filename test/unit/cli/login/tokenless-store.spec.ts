import { beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryCredentialStore, type StoredCredentials } from 'nestjs-mcp/client';
import { TokenlessStore } from '../../../../cli/login/login-stores.js';

const KEY = { serverUrl: 'https://desk.example.com/mcp', issuer: 'https://login.example.com' };
const REGISTRATION = { clientId: 'desk', origin: 'dynamic' } as const;
const buildTokens = (accessToken: string) => ({
  accessToken,
  tokenType: 'bearer',
  grantedScopes: [],
  requestedScopes: [],
});
const BEFORE: StoredCredentials = { registration: REGISTRATION, tokens: buildTokens('before') };
const AFTER: StoredCredentials = { registration: REGISTRATION, tokens: buildTokens('after') };

let store: MemoryCredentialStore;
let unseen: TokenlessStore;

beforeEach(async () => {
  store = new MemoryCredentialStore();
  unseen = new TokenlessStore(store);
});

describe('A store that shows no tokens', () => {
  it('knows the client, and keeps the login that was there (CLI-14, CLI-20)', async () => {
    await store.set(KEY, BEFORE);
    expect(await unseen.get(KEY)).toEqual({ registration: REGISTRATION });
    expect(await unseen.issuers(KEY.serverUrl)).toEqual([KEY.issuer]);
    expect(await store.get(KEY)).toEqual(BEFORE);
  });

  it('lets no attempt at a login touch the one that was there (CLI-14, CLI-20)', async () => {
    await store.set(KEY, BEFORE);
    const other = { registration: { clientId: 'other', origin: 'given' } } as const;
    await unseen.set(KEY, other);
    expect(await unseen.get(KEY)).toEqual(other);
    await unseen.delete(KEY);
    expect(await unseen.get(KEY)).toEqual({});
    expect(await store.get(KEY)).toEqual(BEFORE);
    expect(unseen.replaced).toEqual([]);
  });

  it('puts new tokens in the place of what is kept by then, and says what that was (CLI-14, CLI-20)', async () => {
    await store.set(KEY, BEFORE);
    await unseen.set(KEY, { registration: REGISTRATION });
    const renewed = { ...BEFORE, tokens: buildTokens('renewed elsewhere') };
    await store.set(KEY, renewed);
    await unseen.set(KEY, AFTER);
    expect(await store.get(KEY)).toEqual(AFTER);
    expect(await unseen.get(KEY)).toEqual(AFTER);
    expect(unseen.replaced).toEqual([{ key: KEY, credentials: renewed }]);
  });

  it('is like any other after a login, and where there was none (CLI-14, CLI-20)', async () => {
    await unseen.set(KEY, { registration: REGISTRATION });
    expect(await store.get(KEY)).toEqual({ registration: REGISTRATION });
    await unseen.set(KEY, AFTER);
    await unseen.set(KEY, { registration: REGISTRATION });
    expect(await store.get(KEY)).toEqual({ registration: REGISTRATION });
    await unseen.delete(KEY);
    expect(await store.get(KEY)).toBeUndefined();
    expect(unseen.replaced).toEqual([]);
  });
});
