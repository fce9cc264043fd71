import type { CredentialStore } from '../../client/index.js';
import { formatScope } from '../../oauth/scope.js';
import { ExitCode, type Command, type Terminal } from '../command.interface.js';
import { parseArguments } from '../parse-arguments.js';
import { runSafely } from '../run-safely.js';
import { openCredentialStore } from '../server/credential-store.js';
import { explainFailure } from '../server/explain-failure.js';
import { listTools } from '../server/list-tools.js';
import { parseOnlyEndpoint } from '../server/parse-endpoint.js';
import { selectPatience } from '../server/select-patience.js';
import { EXIT_CODES, LOGIN_OPTIONS, LOGIN_USAGE, parseServerOptions } from '../server/server-options.js';
import { createLoginSource } from '../server/token-source.js';
import { withClient } from '../server/with-client.js';
import { makeLine } from '../visible-text.js';

const USAGE = `Usage: nestjs-mcp login <url> [options]

Logs in to a server in a browser, and keeps what it got for "tools" and "call".

${LOGIN_USAGE}

${EXIT_CODES}`;

/** Logs in to a server: `nestjs-mcp login <url>`. */
export const loginCommand: Command = {
  run: (args, terminal) =>
    runSafely({ args, terminal, usage: USAGE, explain: explainFailure }, () => runLogin(args, terminal)),
};

async function runLogin(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArguments(args, LOGIN_OPTIONS);
  const server = parseServerOptions(parseOnlyEndpoint(positionals), values);
  const store = openCredentialStore(terminal);
  await forgetTokens(store, server.url.href);
  const tokenSource = createLoginSource({ server, terminal, store });
  const patienceMs = selectPatience(server, true);
  await withClient({ server, tokenSource, patienceMs }, ({ client }) => listTools(client, patienceMs));
  await report(store, server.url.href, terminal);
  return ExitCode.success;
}

/** Whoever logs in wants to be asked: as somebody else, or for other scopes. What the client is there stays known. */
async function forgetTokens(store: CredentialStore, serverUrl: string): Promise<void> {
  for (const issuer of await store.issuers(serverUrl)) {
    const key = { serverUrl, issuer };
    await store.exclusively(key, async () => {
      const { tokens: _tokens, ...kept } = (await store.get(key)) ?? {};
      await store.set(key, kept);
    });
  }
}

async function report(store: CredentialStore, serverUrl: string, terminal: Terminal): Promise<void> {
  const issuers = await store.issuers(serverUrl);
  const kept = await Promise.all(
    issuers.map(async (issuer) => ({ issuer, tokens: (await store.get({ serverUrl, issuer }))?.tokens })),
  );
  const logins = kept.filter(({ tokens }) => tokens !== undefined);
  for (const { issuer, tokens } of logins) {
    const scopes = formatScope(tokens?.grantedScopes ?? []);
    const allowed = scopes === '' ? '' : ` for ${makeLine(scopes)}`;
    terminal.print(`Logged in to ${serverUrl} at ${makeLine(issuer)}${allowed}`);
  }
  if (logins.length === 0) {
    terminal.print(`${serverUrl} asks for no login; where a tool needs one, its call will ask`);
  }
}
