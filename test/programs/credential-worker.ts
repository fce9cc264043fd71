/** Works on the credentials in `FOLDER` as `WORK` says, and prints what came of it. */
import { FileCredentialStore, type StoredCredentials } from 'nestjs-mcp/client';

const { FOLDER = '', WORK = '', ROTATION = '', ROUNDS = '1', AS_NOBODY } = process.env;
const KEY = { serverUrl: 'https://desk.example.com/mcp', issuer: 'https://login.example.com' };
const NOBODY = 65_534;

const store = new FileCredentialStore({ folder: FOLDER });

function buildCredentials(refreshToken: string, accessToken: string): StoredCredentials {
  const tokens = { accessToken, tokenType: 'bearer', refreshToken, grantedScopes: [], requestedScopes: [] };
  return { tokens };
}

/** Trades the refresh token in, which can be done once; whoever trades in an old one ends the grant. */
async function refresh(): Promise<void> {
  const kept = await store.get(KEY);
  const response = await fetch(ROTATION, { method: 'POST', body: kept?.tokens?.refreshToken ?? '' });
  if (!response.ok) throw new Error(`The refresh token was refused with ${response.status}`);
  const next = await response.text();
  await store.set(KEY, buildCredentials(next, `access to ${next}`));
}

const works: { readonly [name: string]: () => Promise<void> } = {
  async refresh() {
    process.stdout.write('ready\n');
    for (let round = 0; round < Number(ROUNDS); round += 1) await store.exclusively(KEY, refresh);
    process.stdout.write('done\n');
  },

  /** Writes until it is killed; what it writes takes a while. */
  async write() {
    for (let round = 0; ; round += 1) {
      await store.set(KEY, buildCredentials(String(round), `${round} `.repeat(100_000)));
      if (round === 0) process.stdout.write('ready\n');
    }
  },

  /** Keeps others out until it is killed. */
  async hold() {
    await store.exclusively(KEY, async () => {
      process.stdout.write('ready\n');
      await new Promise((resolve) => setTimeout(resolve, 600_000));
    });
  },

  async fail() {
    if (AS_NOBODY === '1') process.setuid?.(NOBODY);
    const error = await store.set(KEY, buildCredentials('secret refresh', 'secret access')).catch(String);
    process.stdout.write(`${String(error)}\n`);
  },
};

await works[WORK]?.();
