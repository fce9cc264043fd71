import type { CredentialKey, CredentialStore } from '../../client/index.js';
import { ExitCode, type Command, type Terminal } from '../command.interface.js';
import { openCredentialStore } from '../server/credential-store.js';
import { parseEndpoint } from '../server/parse-endpoint.js';
import { runSafely } from '../server/run-safely.js';
import { EXIT_CODES, parseArguments } from '../server/server-options.js';
import { UsageError } from '../usage.error.js';
import { makeLine } from '../visible-text.js';

const USAGE = `Usage: nestjs-mcp logout <url>

Forgets the tokens and the registration of a server; what was issued ends when it expires, or when you withdraw it
there.

${EXIT_CODES}`;

/** Forgets what a login gave: `nestjs-mcp logout <url>`. */
export const logoutCommand: Command = {
  run: (args, terminal) => runSafely({ args, terminal, usage: USAGE }, () => runLogout(args, terminal)),
};

async function runLogout(args: readonly string[], terminal: Terminal): Promise<number> {
  const [url, ...others] = parseArguments(args, {}).positionals;
  if (url === undefined || others.length > 0) {
    throw new UsageError('One URL was expected: that of the endpoint');
  }
  const serverUrl = parseEndpoint(url).href;
  const store = openCredentialStore(terminal);
  const issuers = await store.issuers(serverUrl);
  for (const issuer of issuers) {
    await forget(store, { serverUrl, issuer });
    terminal.print(`Logged out of ${serverUrl}: what ${makeLine(issuer)} gave is forgotten`);
  }
  if (issuers.length === 0) terminal.print(`You were not logged in to ${serverUrl}`);
  return ExitCode.success;
}

/** Alone, so that nobody who refreshes at the time writes it again. */
async function forget(store: CredentialStore, key: CredentialKey): Promise<void> {
  await store.exclusively(key, () => store.delete(key));
}
