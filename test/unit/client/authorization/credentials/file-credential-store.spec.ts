import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  CredentialStoreError,
  type CredentialKey,
  type StoredDpopKey,
} from '../../../../../lib/client/authorization/credentials/credential-store.js';
import { FileCredentialStore } from '../../../../../lib/client/authorization/credentials/file-credential-store.js';
import { PROCESS_IDENTITY } from '../../../../../lib/client/authorization/credentials/credential-lock.js';
import { DpopKey } from '../../../../../lib/client/authorization/dpop.js';
import { until } from '../../../../support/until.js';
import { passTime, stopClocks } from '../../../support/clocks.js';
import { holdCredentials } from '../../../support/held-credentials.js';

const KEY = { serverUrl: 'https://desk.example.com/mcp', issuer: 'https://login.example.com' };
const CREDENTIALS = {
  tokens: {
    accessToken: 'access-token-of-a-test',
    tokenType: 'bearer',
    grantedScopes: [],
    requestedScopes: [],
  },
};

describe('FileCredentialStore on the file system', () => {
  let parent: string;
  let folder: string;
  let store: FileCredentialStore;
  let damaged: string[];

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'credentials-'));
    folder = join(parent, 'nestjs-mcp');
    damaged = [];
    store = new FileCredentialStore({ folder, onDamaged: (path) => damaged.push(path) });
  });

  /** Lets seconds go by until some work is done, and does something in each of them. */
  const letTimePass = async (work: Promise<unknown>, act = () => Promise.resolve()) => {
    let isDone = false;
    void work.finally(() => (isDone = true));
    const pass = async () => {
      await act();
      passTime(1_000);
      return isDone;
    };
    await until(pass, 'the end of the work', 600_000);
  };

  afterEach(async () => {
    jest.useRealTimers();
    await rm(parent, { recursive: true, force: true });
  });

  const findFile = async () => {
    const [file = '', ...others] = await readdir(folder);
    expect(others).toEqual([]);
    return join(folder, file);
  };

  const fail = (promise: Promise<unknown>) =>
    promise.then(
      () => new Error('It did not fail'),
      (error: unknown) => error as CredentialStoreError,
    );

  it('writes a file of mode 0600 in a folder of mode 0700, whose name tells nothing (CLI-14)', async () => {
    await store.set(KEY, CREDENTIALS);
    const file = await findFile();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(file).toMatch(/\/[\da-f]{32}-[\da-f]{32}\.json$/);
  });

  it('puts another file in the place of the old one, so that no reader sees half of it (CLI-14)', async () => {
    await store.set(KEY, CREDENTIALS);
    const { ino } = await stat(await findFile());
    await store.set(KEY, {});
    expect((await stat(await findFile())).ino).not.toBe(ino);
  });

  it.each(['0640', '0604', '0622'])(
    'refuses a file of mode %s, without its contents (CLI-14)',
    async (mode) => {
      await store.set(KEY, CREDENTIALS);
      await chmod(await findFile(), Number.parseInt(mode, 8));
      const error = await fail(store.get(KEY));
      expect(error).toMatchObject({ code: 'credential_store_unsafe', path: await findFile() });
      expect(error.message).toContain(`has mode ${mode}`);
      expect(error.message).not.toContain(CREDENTIALS.tokens.accessToken);
    },
  );

  it('refuses a link, even to a file that would do (CLI-14)', async () => {
    await store.set(KEY, CREDENTIALS);
    const file = await findFile();
    await rename(file, join(parent, 'elsewhere.json'));
    await symlink(join(parent, 'elsewhere.json'), file);
    expect(await fail(store.get(KEY))).toMatchObject({ code: 'credential_store_unsafe', path: file });
    await store.set(KEY, CREDENTIALS);
    expect(await store.get(KEY)).toEqual(CREDENTIALS);
  });

  it('refuses a folder into which others can write (CLI-14)', async () => {
    await store.set(KEY, CREDENTIALS);
    await chmod(folder, 0o777);
    const refused = { code: 'credential_store_unsafe', path: folder };
    expect(await fail(store.set(KEY, {}))).toMatchObject(refused);
    expect(await fail(store.exclusively(KEY, async () => undefined))).toMatchObject(refused);
  });

  it.each([
    ['is cut', (text: string) => text.slice(0, -20)],
    ['is empty', () => ''],
    ['is no JSON', () => 'hello'],
    ['is of another server', (text: string) => text.replace('desk.example.com', 'evil.example.com')],
    ['has no tokens where they belong', (text: string) => text.replace('"accessToken"', '"token"')],
    ['is longer than any', (text: string) => text + ' '.repeat(1024 * 1024)],
  ])('sets a file aside that %s, says so, and knows nothing then (CLI-14)', async (_case, damage) => {
    await store.set(KEY, CREDENTIALS);
    const file = await findFile();
    await writeFile(file, damage(await readFile(file, 'utf8')));
    expect(await store.get(KEY)).toBeUndefined();
    expect(damaged).toEqual([`${file}.damaged`]);
    expect(await readdir(folder)).toEqual([`${file.slice(folder.length + 1)}.damaged`]);
    await store.set(KEY, CREDENTIALS);
    expect(await store.get(KEY)).toEqual(CREDENTIALS);
  });

  it.each<[string, (key: Required<StoredDpopKey>) => unknown]>([
    ['lacks what is secret', ({ privateJwk: { d: _d, ...rest }, ...key }) => ({ ...key, privateJwk: rest })],
    [
      'lacks its algorithm',
      ({ privateJwk: { alg: _alg, ...rest }, ...key }) => ({ ...key, privateJwk: rest }),
    ],
    ['is cut', ({ privateJwk, ...key }) => ({ ...key, privateJwk: { ...privateJwk, d: 'AQAB' } })],
    ['has the name of another', (key) => ({ ...key, thumbprint: 'another' })],
    ['is a text', ({ thumbprint }) => ({ thumbprint, privateJwk: 'key' })],
  ])(
    'sets a file aside whose key %s, so that a login makes another (CLI-14, CLI-19)',
    async (_case, damage) => {
      const key = (await DpopKey.generate({ isExtractable: true })).toStored() as Required<StoredDpopKey>;
      await store.set(KEY, { ...CREDENTIALS, dpopKey: key });
      expect(await store.get(KEY)).toMatchObject({ dpopKey: key });
      await store.set(KEY, { ...CREDENTIALS, dpopKey: damage(key) as StoredDpopKey });
      expect(await store.get(KEY)).toBeUndefined();
      expect(damaged).toHaveLength(1);
    },
  );

  it('forgets with credentials what was set aside of them, which may hold tokens (CLI-14)', async () => {
    const other = { ...KEY, issuer: 'https://other.example.com' };
    const elsewhere = { ...KEY, serverUrl: 'https://elsewhere.example.com/mcp' };
    const damage = async (key: CredentialKey) => {
      await store.set(key, {});
      const files = await readdir(folder);
      const file = files.find((one) => one.endsWith('.json')) ?? '';
      await writeFile(join(folder, file), JSON.stringify(CREDENTIALS));
      await store.get(key);
    };
    for (const key of [KEY, other, elsewhere]) await damage(key);
    expect(await readdir(folder)).toHaveLength(3);
    await store.delete(KEY);
    expect(await readdir(folder)).toHaveLength(2);
    expect(await store.deleteDamaged(KEY.serverUrl)).toBe(1);
    expect(await store.deleteDamaged(KEY.serverUrl)).toBe(0);
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('forgets with credentials what a killed process left of them, which may hold tokens (CLI-14)', async () => {
    await store.set(KEY, CREDENTIALS);
    const name = (await findFile()).slice(folder.length + 1, -'.json'.length);
    const [server] = name.split('-');
    const machine = PROCESS_IDENTITY.split('-')[1];
    const nobody = '0'.repeat(32);
    const write = async (of: string, identity: string) => {
      const file = `${of}.${identity}.0123456789abcdef.tmp`;
      await writeFile(join(folder, file), JSON.stringify(CREDENTIALS));
      return file;
    };
    // No process has this id: it is above what any system counts to.
    const gone = `4194305-${machine}`;
    const alive = await write(name, PROCESS_IDENTITY);
    await write(name, gone);
    await store.delete(KEY);
    expect(await readdir(folder)).toEqual([alive]);
    await write(`${server}-${nobody}`, gone);
    const elsewhere = await write(`${nobody}-${nobody}`, gone);
    expect(await store.deleteDamaged(KEY.serverUrl)).toBe(1);
    expect((await readdir(folder)).toSorted()).toEqual([alive, elsewhere].toSorted());
  });

  it('leaves nothing of a write that fails, which may hold tokens (CLI-14)', async () => {
    await store.set(KEY, CREDENTIALS);
    const file = await findFile();
    await rm(file);
    // A file cannot take the place of a folder.
    await mkdir(file);
    const error = await fail(store.set(KEY, CREDENTIALS));
    expect(error).toMatchObject({ code: 'credential_store_unavailable', path: folder });
    expect(await findFile()).toBe(file);
    await rmdir(file);
    await store.set(KEY, CREDENTIALS);
    expect(await store.get(KEY)).toEqual(CREDENTIALS);
  });

  it('names the folder where it cannot be made (CLI-14)', async () => {
    await writeFile(folder, 'a file');
    const error = await fail(store.set(KEY, CREDENTIALS));
    expect(error).toMatchObject({ code: 'credential_store_unavailable', path: folder });
    expect(error.message).toContain(JSON.stringify(folder));
  });

  it('leaves no lock behind, and removes that of a process that is gone (CLI-14)', async () => {
    await store.set(KEY, CREDENTIALS);
    const name = (await findFile()).slice(folder.length + 1, -'.json'.length);
    const machine = PROCESS_IDENTITY.split('-')[1];
    // No process has this id: it is above what any system counts to.
    const lock = join(folder, `${name}.4194305-${machine}.0123456789abcdef.lock`);
    await writeFile(lock, '');
    expect(await store.exclusively(KEY, async () => 'done', { waitMs: 1_000 })).toBe('done');
    expect(await readdir(folder)).toEqual([`${name}.json`]);
  });

  it('waits for the lock of another machine, of which it cannot tell whether it lives (CLI-14)', async () => {
    await store.set(KEY, CREDENTIALS);
    const name = (await findFile()).slice(folder.length + 1, -'.json'.length);
    const lock = join(folder, `${name}.1-00000000.0123456789abcdef.lock`);
    await writeFile(lock, '');
    await utimes(lock, 0, 0);
    const error = await fail(store.exclusively(KEY, async () => 'done', { waitMs: 100 }));
    expect(error).toMatchObject({ code: 'credential_store_busy', path: folder });
    expect(await readdir(folder)).toHaveLength(2);
  });

  it('takes over the lock of another machine that nobody touches any more (CLI-14)', async () => {
    await store.set(KEY, CREDENTIALS);
    const name = (await findFile()).slice(folder.length + 1, -'.json'.length);
    await writeFile(join(folder, `${name}.1-00000000.0123456789abcdef.lock`), '');
    stopClocks();
    const work = store.exclusively(KEY, async () => 'done', { waitMs: 60_000 });
    await letTimePass(work);
    expect(await work).toBe('done');
    expect(await readdir(folder)).toEqual([`${name}.json`]);
  });

  it('waits for the lock of another machine as long as somebody touches it (CLI-14)', async () => {
    await store.set(KEY, CREDENTIALS);
    const name = (await findFile()).slice(folder.length + 1, -'.json'.length);
    const lock = join(folder, `${name}.1-00000000.0123456789abcdef.lock`);
    await writeFile(lock, '');
    stopClocks();
    const work = fail(store.exclusively(KEY, async () => 'done', { waitMs: 60_000 }));
    let touches = 0;
    await letTimePass(work, () => utimes(lock, 0, (touches += 1)));
    expect(await work).toMatchObject({ code: 'credential_store_busy' });
    expect(await readdir(folder)).toHaveLength(2);
  });

  it('waits for another store of this process that shares the folder (CLI-14)', async () => {
    const other = new FileCredentialStore({ folder });
    const { held, end } = await holdCredentials(other, KEY);
    const late = fail(store.exclusively(KEY, async () => 'late', { waitMs: 100 }));
    expect(await late).toMatchObject({ code: 'credential_store_busy' });
    const next = store.exclusively(KEY, async () => 'next');
    end();
    await held;
    expect(await next).toBe('next');
  });
});
