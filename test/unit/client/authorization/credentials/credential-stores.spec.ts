import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  CredentialKey,
  CredentialStore,
  StoredCredentials,
} from '../../../../../lib/client/authorization/credentials/credential-store.js';
import { FileCredentialStore } from '../../../../../lib/client/authorization/credentials/file-credential-store.js';
import { DpopKey } from '../../../../../lib/client/authorization/dpop.js';
import { MemoryCredentialStore } from '../../../../../lib/client/authorization/credentials/memory-credential-store.js';
import { holdCredentials } from '../../../support/held-credentials.js';

const KEY: CredentialKey = {
  serverUrl: 'https://desk.example.com/mcp',
  issuer: 'https://login.example.com',
};

const CREDENTIALS: StoredCredentials = {
  registration: { clientId: 'desk-client', clientSecret: 'secret', origin: 'dynamic', metadata: { a: [1] } },
  tokens: {
    accessToken: 'access',
    tokenType: 'bearer',
    refreshToken: 'refresh',
    askedAtMs: 1_799_999_400_000,
    expiresAtMs: 1_800_000_000_000,
    grantedScopes: ['desk:read'],
    requestedScopes: ['desk:read', 'desk:write'],
  },
  dpopKey: (await DpopKey.generate({ isExtractable: true })).toStored(),
};

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'credentials-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe.each<[string, () => CredentialStore]>([
  ['MemoryCredentialStore', () => new MemoryCredentialStore()],
  ['FileCredentialStore', () => new FileCredentialStore({ folder: join(folder, 'deep', 'nestjs-mcp') })],
])('%s', (_name, createStore) => {
  let store: CredentialStore;

  beforeEach(() => {
    store = createStore();
  });

  it('has nothing at first, and forgets what is not there (CLI-14)', async () => {
    expect(await store.get(KEY)).toBeUndefined();
    expect(await store.issuers(KEY.serverUrl)).toEqual([]);
    await expect(store.delete(KEY)).resolves.toBeUndefined();
  });

  it('gives back all that it was given, until it is told to forget (CLI-14)', async () => {
    await store.set(KEY, CREDENTIALS);
    expect(await store.get(KEY)).toEqual(CREDENTIALS);
    await store.delete(KEY);
    expect(await store.get(KEY)).toBeUndefined();
  });

  it('keeps apart what belongs to another issuer or another server (CLI-06, CLI-14)', async () => {
    const slash = { ...KEY, issuer: `${KEY.issuer}/` };
    const other = { ...KEY, serverUrl: `${KEY.serverUrl}/other` };
    await store.set(KEY, CREDENTIALS);
    await store.set(slash, {});
    expect(await store.get(slash)).toEqual({});
    expect(await store.get(other)).toBeUndefined();
    expect((await store.issuers(KEY.serverUrl)).toSorted()).toEqual([KEY.issuer, slash.issuer]);
  });

  it('takes spellings of one URL for one server (CLI-14)', async () => {
    await store.set({ ...KEY, serverUrl: 'HTTPS://Desk.example.com:443/mcp#top' }, CREDENTIALS);
    expect(await store.get(KEY)).toEqual(CREDENTIALS);
    expect(await store.issuers('https://desk.EXAMPLE.com/mcp')).toEqual([KEY.issuer]);
  });

  it('gives copies, so that nobody changes what is kept (CLI-14)', async () => {
    const given = structuredClone(CREDENTIALS) as { tokens: { accessToken: string } };
    await store.set(KEY, given as unknown as StoredCredentials);
    given.tokens.accessToken = 'changed';
    const read = (await store.get(KEY)) as unknown as typeof given;
    read.tokens.accessToken = 'changed too';
    expect((await store.get(KEY))?.tokens?.accessToken).toBe('access');
  });

  it('lets those who want the same do their work one after another (CLI-14)', async () => {
    let inside = 0;
    let most = 0;
    const order: number[] = [];
    const work = async (turn: number) => {
      most = Math.max(most, (inside += 1));
      await store.set(KEY, CREDENTIALS);
      order.push(turn);
      inside -= 1;
    };
    await Promise.all([1, 2, 3, 4].map((turn) => store.exclusively(KEY, () => work(turn))));
    expect([most, order]).toEqual([1, [1, 2, 3, 4]]);
  });

  it('lets those who want something else go on (CLI-14)', async () => {
    const other = { ...KEY, issuer: 'https://other.example.com' };
    const result = await store.exclusively(KEY, () => store.exclusively(other, async () => 'both'));
    expect(result).toBe('both');
  });

  it('hands on what the work throws, and lets the next one in (CLI-14)', async () => {
    const fails = store.exclusively(KEY, () => Promise.reject(new Error('the work failed')));
    await expect(fails).rejects.toThrow('the work failed');
    expect(await store.exclusively(KEY, async () => 'next')).toBe('next');
  });

  it('waits no longer than it is told, and says why (CLI-14)', async () => {
    const { held, end } = await holdCredentials(store, KEY);
    const late = store.exclusively(KEY, async () => 'late', { waitMs: 20 });
    await expect(late).rejects.toMatchObject({ name: 'CredentialStoreError', code: 'credential_store_busy' });
    const after = store.exclusively(KEY, async () => 'after');
    end();
    await held;
    expect(await after).toBe('after');
  });

  it('stops waiting when it is told to (CLI-14)', async () => {
    const { held, end } = await holdCredentials(store, KEY);
    const stop = new AbortController();
    const waits = store.exclusively(KEY, async () => 'waited', { signal: stop.signal });
    stop.abort(new Error('no longer wanted'));
    await expect(waits).rejects.toThrow('no longer wanted');
    end();
    await held;
  });
});
