import type { CredentialStore, StoredCredentials } from '../../lib/client/authorization/index.js';
import { ExitCode, type Command, type Terminal } from '../command.interface.js';
import { formatHelp, type Help } from '../help.js';
import { parseArguments } from '../parse-arguments.js';
import { runSafely } from '../run-safely.js';
import { openCredentialStore } from '../server/credential-store.js';
import { explainFailure } from '../server/explain-failure.js';
import { LimitWaiting } from '../server/limit-waiting.js';
import { listTools, withClient } from '../server/with-client.js';
import { parseOnlyEndpoint } from '../server/parse-endpoint.js';
import { selectRequestTimeout } from '../server/called-server.js';
import { CONNECTION_EXIT_CODES, LOGIN_OPTIONS, parseServerOptions } from '../server/server-options.js';
import { createLoginSource } from '../server/token-source.js';
import { UsageError } from '../usage.error.js';
import { endEarlierLogins, type FinishedLogin, type LoginSuccession } from './end-earlier-logins.js';
import { PendingLoginStore, TokenlessStore } from './login-stores.js';
import { OFFLINE_ACCESS } from '../../lib/client/authorization/login/authorization-request.js';
import { formatScope } from '../../lib/core/oauth/scope.js';
import { makeLine, quoteVisible } from '../visible-text.js';

const HELP: Help = {
  usage: ['login <url> [options]'],
  description: 'Log in to a server in the browser, and store the tokens for the other commands.',
  options: LOGIN_OPTIONS,
  exitCodes: CONNECTION_EXIT_CODES,
};

/** Logs in to a server: `nestjs-mcp-cli login <url>`. */
export const loginCommand: Command = {
  help: HELP,
  run: (args, terminal) =>
    runSafely({ args, terminal, usage: formatHelp(HELP), explain: explainFailure }, () =>
      runLogin(args, terminal),
    ),
};

async function runLogin(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArguments(args, LOGIN_OPTIONS);
  const server = parseServerOptions(parseOnlyEndpoint(positionals), values, terminal.environment);
  if (server.headers['authorization'] !== undefined) {
    throw new UsageError('A login cannot have an "Authorization" header, because it obtains a token itself');
  }
  const store = openCredentialStore(terminal);
  // A new login must prompt the user, because it may be for another account or different scopes.
  const unseen = new TokenlessStore(new PendingLoginStore(store));
  const tokenSource = createLoginSource({ server, terminal, store: unseen });
  const requestTimeoutMs = selectRequestTimeout(server, true);
  const serverUrl = server.url.href;
  try {
    const waiting = new LimitWaiting(server.limitWaitMs, terminal);
    await withClient({ server, terminal, tokenSource, requestTimeoutMs, waiting }, ({ client }) =>
      listTools(client, { timeout: requestTimeoutMs }),
    );
    report(await findLogins(unseen, serverUrl), serverUrl, terminal);
  } finally {
    // The login has succeeded even if the server rejects the request for its list.
    const { insecureHosts, ignoreIssuerSlash } = server;
    const leniency = { insecureHosts, ignoreIssuerSlash };
    await endEarlier({ store, unseen, serverUrl, leniency }, terminal);
  }
  return ExitCode.success;
}

interface Stores {
  readonly store: CredentialStore;
  /** The store of the new login, which records the logins that it replaced. */
  readonly unseen: TokenlessStore;
  readonly serverUrl: string;
  readonly leniency: NonNullable<LoginSuccession['leniency']>;
}

async function endEarlier({ store, unseen, serverUrl, leniency }: Stores, terminal: Terminal): Promise<void> {
  const logins = await findLogins(unseen, serverUrl);
  const left = await endEarlierLogins({ serverUrl, store, logins, replaced: unseen.replaced, leniency });
  for (const issuer of left) {
    terminal.complain(
      `The earlier tokens from ${makeLine(issuer)} could not be revoked, and remain valid until they expire`,
    );
  }
}

async function findLogins(store: CredentialStore, serverUrl: string): Promise<readonly FinishedLogin[]> {
  const issuers = await store.issuers(serverUrl);
  const found = await Promise.all(
    issuers.map(async (issuer) => ({ issuer, credentials: (await store.get({ serverUrl, issuer })) ?? {} })),
  );
  return found.filter(({ credentials }) => credentials.tokens !== undefined);
}

function report(logins: readonly FinishedLogin[], serverUrl: string, terminal: Terminal): void {
  for (const { issuer, credentials } of logins) {
    terminal.print(`Logged in to ${serverUrl} at ${makeLine(issuer)}${formatGranted(credentials.tokens)}`);
  }
  if (logins.length === 0) {
    terminal.print(
      `${serverUrl} does not require a login; if a tool requires one, calling it starts the login`,
    );
  }
}

/** Formats the scopes that a login granted, and the requested scopes that it did not grant; empty without scopes. */
export function formatGranted(tokens: StoredCredentials['tokens']): string {
  const { grantedScopes = [], requestedScopes = [] } = tokens ?? {};
  const noun = grantedScopes.length === 1 ? 'scope' : 'scopes';
  const allowed =
    grantedScopes.length === 0 ? '' : ` with the ${noun} ${makeLine(formatScope(grantedScopes))}`;
  const withheld = requestedScopes.filter(
    (scope) => scope !== OFFLINE_ACCESS && !grantedScopes.includes(scope),
  );
  if (withheld.length === 0) return allowed;
  const named = withheld.map((scope) => quoteVisible(scope)).join(', ');
  return `${allowed}; ${named} ${withheld.length === 1 ? 'was' : 'were'} requested but not granted`;
}
