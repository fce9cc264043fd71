import { beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryCredentialStore, type StoredCredentials } from 'nestjs-mcp/client';
import { PendingLoginStore } from '../../../../cli/login/login-stores.js';

const KEY = { serverUrl: 'https://desk.example.com/mcp', issuer: 'https://login.example.com' };
const REGISTRATION = { clientId: 'desk', origin: 'given' } as const;
const TOKENS = { accessToken: 'a', tokenType: 'bearer', grantedScopes: [], requestedScopes: [] };
const LOGIN: StoredCredentials = { registration: REGISTRATION, tokens: TOKENS };

let store: MemoryCredentialStore;
let pending: PendingLoginStore;

beforeEach(() => {
  store = new MemoryCredentialStore();
  pending = new PendingLoginStore(store);
});

describe('A store of a login that is under way', () => {
  it('keeps a client once it has logged in, and knows it before (CLI-20)', async () => {
    await pending.set(KEY, { registration: REGISTRATION });
    expect(await pending.get(KEY)).toEqual({ registration: REGISTRATION });
    expect([await store.get(KEY), await pending.issuers(KEY.serverUrl)]).toEqual([undefined, []]);
    await pending.set(KEY, LOGIN);
    expect([await store.get(KEY), await pending.get(KEY)]).toEqual([LOGIN, LOGIN]);
  });

  it('leaves the login of another client as it is until then (CLI-20)', async () => {
    await store.set(KEY, LOGIN);
    const other = { registration: { clientId: 'other', origin: 'given' } } as const;
    await pending.set(KEY, other);
    expect([await store.get(KEY), await pending.get(KEY)]).toEqual([LOGIN, other]);
    await pending.delete(KEY);
    expect(await pending.get(KEY)).toEqual(LOGIN);
    await pending.delete(KEY);
    expect(await store.get(KEY)).toBeUndefined();
  });

  it('notes that the tokens of a client that is known have ended (CLI-14, CLI-20)', async () => {
    await store.set(KEY, LOGIN);
    await pending.set(KEY, { registration: REGISTRATION });
    expect(await store.get(KEY)).toEqual({ registration: REGISTRATION });
  });

  it('does work alone, as the store does it (CLI-14)', async () => {
    await expect(pending.exclusively(KEY, async () => 'done')).resolves.toBe('done');
  });
});
