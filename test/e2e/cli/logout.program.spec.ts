import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FileCredentialStore } from 'nestjs-mcp/client';
import { findFreePort } from '../../conformance/find-free-port.js';
import { runCommandLine } from '../../support/programs/command-line.js';
import { json, Party } from '../../support/authorization/party.js';

const SERVER = 'https://desk.example.com/mcp';
const ISSUERS = ['https://login.example.com', 'https://login.example.org'];
const LOCAL = 'http://127.0.0.1:9/mcp';
const SECRET = ['--client-secret-env', 'DESK_SECRET'];
const TOKENS = { accessToken: 'secret-access', tokenType: 'bearer', grantedScopes: [], requestedScopes: [] };

describe('nestjs-mcp-cli logout', () => {
  let home: string;
  let folder: string;
  let store: FileCredentialStore;
  let parties: Party[];

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'home-'));
    folder = join(home, 'nestjs-mcp');
    store = new FileCredentialStore({ folder });
    parties = [];
  });

  afterEach(async () => {
    await Promise.all(parties.map((party) => party.stop()));
    await rm(home, { recursive: true, force: true });
  });

  const logout = (...args: readonly string[]) =>
    runCommandLine(['logout', ...args], {
      environment: { XDG_CONFIG_HOME: home, DESK_SECRET: 'the-secret-of-a-client' },
    });

  /** Keeps tokens of a client, and begins who gave them and withdraws them. */
  const keep = async (clientId: string, origin: 'given' | 'metadata-document' = 'given') => {
    const party = await Party.start();
    parties.push(party);
    const issuer = party.origin;
    party.at('/revoke', json({}));
    party.at(
      '/.well-known/oauth-authorization-server',
      json({ issuer, revocation_endpoint: `${issuer}/revoke` }),
    );
    await store.set({ serverUrl: LOCAL, issuer }, { tokens: TOKENS, registration: { clientId, origin } });
    return party;
  };

  /** How clients showed who they are. */
  const findShown = ({ requests }: Party) =>
    requests.filter(({ path }) => path === '/revoke').map(({ headers }) => headers.authorization);

  it('forgets what every issuer gave for this server, and no other (CLI-14, CLI-20)', async () => {
    const other = { serverUrl: `${SERVER}/other`, issuer: ISSUERS[0] ?? '' };
    for (const issuer of ISSUERS) await store.set({ serverUrl: SERVER, issuer }, { tokens: TOKENS });
    await store.set(other, { tokens: TOKENS });
    const { code, stdout, stderr } = await logout(SERVER);
    expect([code, stderr]).toEqual([0, '']);
    for (const issuer of ISSUERS) expect(stdout).toContain(`the credentials from ${issuer} were deleted`);
    expect(await store.issuers(SERVER)).toEqual([]);
    expect(await store.get(other)).toEqual({ tokens: TOKENS });
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('says why nothing was withdrawn, and forgets it all the same (CLI-14, CLI-20)', async () => {
    const issuer = `http://127.0.0.1:${await findFreePort()}`;
    const key = { serverUrl: `${issuer}/mcp`, issuer };
    await store.set(key, { tokens: TOKENS, registration: { clientId: 'desk', origin: 'given' } });
    const { code, stdout, stderr } = await logout(key.serverUrl);
    expect(code).toBe(0);
    expect(stdout).toBe(`Logged out of ${key.serverUrl}: the credentials from ${key.issuer} were deleted\n`);
    expect(stderr).toMatch(
      /^The tokens could not be revoked, and remain valid until they expire: http:\S+ cannot be reached/,
    );
    expect(stderr).not.toContain(TOKENS.accessToken);
    expect(await store.get(key)).toBeUndefined();
  });

  it('shows the secret to the authorization server alone whose client was given (CLI-06, CLI-14, CLI-20)', async () => {
    const given = await keep('desk');
    const other = await keep('https://app.example.com/client.json', 'metadata-document');
    const { code, stderr } = await logout(LOCAL, ...SECRET);
    expect([code, stderr]).toEqual([0, '']);
    expect(findShown(given)).toEqual([expect.stringMatching(/^Basic /)]);
    expect(findShown(other)).toEqual([undefined]);
  });

  it('is told whose the secret is where several clients were given, and does nothing before (CLI-06, CLI-14, CLI-20)', async () => {
    const [first, second] = [await keep('desk'), await keep('other')];
    const { code, stderr } = await logout(LOCAL, ...SECRET);
    expect(code).toBe(2);
    expect(stderr).toContain('"--client-secret-env" requires "--client-id"');
    expect((await logout(LOCAL, ...SECRET, '--client-id', 'another')).code).toBe(2);
    expect([first.requests, second.requests]).toEqual([[], []]);
    expect(await store.issuers(LOCAL)).toHaveLength(2);
    expect((await logout(LOCAL, ...SECRET, '--client-id', 'other')).code).toBe(0);
    expect(findShown(first)).toEqual([undefined]);
    expect(findShown(second)).toEqual([expect.stringMatching(/^Basic /)]);
    expect(await store.issuers(LOCAL)).toEqual([]);
  });

  it('ends with 2 where the same client was given at several, which no option tells apart (CLI-06, CLI-20)', async () => {
    const [first, second] = [await keep('desk'), await keep('desk')];
    const { code, stderr } = await logout(LOCAL, ...SECRET, '--client-id', 'desk');
    expect(code).toBe(2);
    expect(stderr).toContain('"--client-secret-env" must be omitted');
    expect([first.requests, second.requests]).toEqual([[], []]);
  });

  it('leaves nothing behind of what was damaged, which may hold tokens (CLI-14, CLI-20)', async () => {
    await store.set({ serverUrl: SERVER, issuer: ISSUERS[0] ?? '' }, { tokens: TOKENS });
    const [file = ''] = await readdir(folder);
    await writeFile(join(folder, file), JSON.stringify(TOKENS));
    const { code, stdout } = await logout(SERVER);
    expect([code, stdout]).toEqual([0, `Removed the damaged files of a login to ${SERVER}\n`]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('says so where there was no login, and makes no folder for it (CLI-20)', async () => {
    const { code, stdout } = await logout(SERVER);
    expect([code, stdout]).toEqual([0, `You were not logged in to ${SERVER}\n`]);
    expect(await readdir(home)).toEqual([]);
  });

  it('ends with 2 where it is told of no server, of several, of an empty variable, or of a client without its secret (CLI-20)', async () => {
    const unset = [SERVER, '--client-secret-env', 'NOT_SET'];
    const secretless = [SERVER, '--client-id', 'desk'];
    for (const args of [[], [SERVER, SERVER], ['desk'], [SERVER, '--all'], unset, secretless]) {
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
