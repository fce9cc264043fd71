import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FileCredentialStore } from 'nestjs-mcp/client';
import { runCommandLine } from '../../support/command-line.js';

const SERVER = 'https://desk.example.com/mcp';
const ISSUERS = ['https://login.example.com', 'https://login.example.org'];
const TOKENS = { accessToken: 'secret-access', tokenType: 'bearer', grantedScopes: [], requestedScopes: [] };

describe('nestjs-mcp logout', () => {
  let home: string;
  let folder: string;
  let store: FileCredentialStore;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'home-'));
    folder = join(home, 'nestjs-mcp');
    store = new FileCredentialStore({ folder });
  });

  afterEach(async () => {
    await rm(home, { recursive: true, force: true });
  });

  const logout = (...args: readonly string[]) =>
    runCommandLine(['logout', ...args], { environment: { XDG_CONFIG_HOME: home } });

  it('forgets what every issuer gave for this server, and no other (CLI-14, CLI-20)', async () => {
    const other = { serverUrl: `${SERVER}/other`, issuer: ISSUERS[0] ?? '' };
    for (const issuer of ISSUERS) await store.set({ serverUrl: SERVER, issuer }, { tokens: TOKENS });
    await store.set(other, { tokens: TOKENS });
    const { code, stdout, stderr } = await logout(SERVER);
    expect([code, stderr]).toEqual([0, '']);
    for (const issuer of ISSUERS) expect(stdout).toContain(`what ${issuer} gave is forgotten`);
    expect(await store.issuers(SERVER)).toEqual([]);
    expect(await store.get(other)).toEqual({ tokens: TOKENS });
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('says why nothing was withdrawn, and forgets it all the same (CLI-14, CLI-20)', async () => {
    const key = { serverUrl: 'http://127.0.0.1:9/mcp', issuer: 'http://127.0.0.1:9' };
    await store.set(key, { tokens: TOKENS, registration: { clientId: 'desk', origin: 'given' } });
    const { code, stdout, stderr } = await logout(key.serverUrl);
    expect(code).toBe(0);
    expect(stdout).toBe(`Logged out of ${key.serverUrl}: what ${key.issuer} gave is forgotten\n`);
    expect(stderr).toMatch(
      /^It was not withdrawn there, and lasts until it expires: http:\S+ cannot be reached/,
    );
    expect(stderr).not.toContain(TOKENS.accessToken);
    expect(await store.get(key)).toBeUndefined();
  });

  it('leaves nothing behind of what was damaged, which may hold tokens (CLI-14, CLI-20)', async () => {
    await store.set({ serverUrl: SERVER, issuer: ISSUERS[0] ?? '' }, { tokens: TOKENS });
    const [file = ''] = await readdir(folder);
    await writeFile(join(folder, file), JSON.stringify(TOKENS));
    const { code, stdout } = await logout(SERVER);
    expect([code, stdout]).toEqual([0, `What was damaged of a login to ${SERVER} is removed\n`]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('says so where there was no login, and makes no folder for it (CLI-20)', async () => {
    const { code, stdout } = await logout(SERVER);
    expect([code, stdout]).toEqual([0, `You were not logged in to ${SERVER}\n`]);
    expect(await readdir(home)).toEqual([]);
  });

  it('ends with 2 where it is told of no server, of several, or of an empty variable (CLI-20)', async () => {
    const unset = [SERVER, '--client-secret-env', 'NOT_SET'];
    for (const args of [[], [SERVER, SERVER], ['desk'], [SERVER, '--all'], unset]) {
      expect((await logout(...args)).code).toBe(2);
    }
  });

  it('ends with 3 where others could read what was kept, and names the file (CLI-14, CLI-20)', async () => {
    await store.set({ serverUrl: SERVER, issuer: ISSUERS[0] ?? '' }, { tokens: TOKENS });
    const [file = ''] = await readdir(folder);
    await chmod(join(folder, file), 0o644);
    const { code, stdout, stderr } = await logout(SERVER);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain(file);
    expect(stderr).not.toContain(TOKENS.accessToken);
  });
});
