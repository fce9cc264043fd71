import {
  OAuthTokenSource,
  openBrowser,
  StaticTokenSource,
  type AuthorizeOptions,
  type CredentialStore,
  type OAuthTokenSourceOptions,
  type TokenSource,
} from '../../lib/client/authorization/index.js';
import { isSecureUrl } from '../../lib/core/oauth/secure-url.js';
import type { Terminal } from '../command.interface.js';
import type { Keyboard } from '../line-keyboard.js';
import { PendingLoginStore } from '../login/login-stores.js';
import { makeLine } from '../visible-text.js';
import type { CalledServer } from './called-server.js';
import { openCredentialStore } from './credential-store.js';
import { StoredLoginSource, refuseLogin } from './stored-login-source.js';
import { formatFlagNames, type ServerOptions } from './server-options.js';
import { readAccessToken } from './read-access-token.js';
import { readVariable } from './read-variable.js';

const QUESTION =
  'Waiting for the browser. If it cannot connect to this machine, paste the last URL from its address bar: ';
const AGAIN = 'That is not the last URL of this login. Paste the whole URL: ';

/**
 * Creates a reader for the redirect URL of a browser on another machine, which the user pastes into the terminal.
 */
function createAnswerReader(keyboard: Keyboard): (options: AuthorizeOptions) => Promise<string | undefined> {
  let question = QUESTION;
  return async ({ signal }) => {
    const asked = question;
    question = AGAIN;
    for (;;) {
      const line = await keyboard.ask(asked, signal);
      // An empty line was entered before the prompt.
      if (line?.trim() !== '') return line;
    }
  };
}

/** A login's server, and the store for its credentials. */
export interface LoginSetup {
  readonly server: ServerOptions;
  readonly terminal: Terminal;
  readonly store: CredentialStore;
}

/**
 * Creates a command's token source: for the token that was passed, or else for the stored login. At a terminal, the
 * user logs in when the server requires it. Returns `undefined` if a header authenticates the caller, or if the
 * connection is not secure: no token is sent over it, and the server may not require one.
 *
 * @throws {UsageError} if the token is invalid
 */
export function createTokenSource(server: CalledServer, terminal: Terminal): TokenSource | undefined {
  if (!('url' in server)) return undefined;
  const { url, headers, insecureHosts } = server;
  const token = readAccessToken(server, terminal.environment);
  if (token !== undefined) return createFixed(token, server);
  if (!isSecureUrl(url.href, insecureHosts) || headers['authorization'] !== undefined) return undefined;
  const setup = { server, terminal, store: new PendingLoginStore(openCredentialStore(terminal)) };
  return terminal.status === undefined ? createStoredLoginSource(setup) : createLoginSource(setup);
}

/** `MCP_TOKEN` may be meant for another server, and is not sent over plain HTTP. */
function createFixed(
  token: string,
  { url, token: given, tokenVariable }: ServerOptions,
): TokenSource | undefined {
  const isMeant = given !== undefined || tokenVariable !== undefined;
  return isMeant || isSecureUrl(url.href) ? new StaticTokenSource(token) : undefined;
}

/** Creates a token source that performs a login in the browser. At a terminal, the browser may run on another machine. */
export function createLoginSource(setup: LoginSetup): TokenSource {
  const { terminal } = setup;
  const { keyboard } = terminal;
  const explain = createExplainer(setup);
  return createSource(setup, {
    readAnswer: keyboard?.isTerminal === true ? createAnswerReader(keyboard) : undefined,
    openBrowser: async (url) => {
      explain(`Log in in your browser, at ${new URL(url).host}`);
      await openBrowser(url);
    },
    present: (url) => explain(`No browser could be opened. Open this page to log in:\n  ${url}`),
  });
}

/** Prints instructions, the first time with a hint for a page that shows an error. */
function createExplainer({ server, terminal }: LoginSetup): (text: string) => void {
  let hint = `\n${formatLoginFailureHint(server.url)}`;
  return (text) => {
    terminal.complain(`${text}${hint}`);
    hint = '';
  };
}

/** Creates a token source that uses the stored login, and never starts one. */
export function createStoredLoginSource(setup: LoginSetup): StoredLoginSource {
  const { server, store } = setup;
  const { scopes, loginOptions: options } = server;
  const login = { serverUrl: server.url.href, scopes, options };
  const refuse = refuseLogin({ login, store });
  const source = createSource(setup, { openBrowser: refuse, present: refuse });
  const { insecureHosts, ignoreIssuerSlash } = server;
  const leniency = { insecureHosts, ignoreIssuerSlash };
  return new StoredLoginSource(source, { login, store, leniency });
}

type LoginSteps = Pick<OAuthTokenSourceOptions, 'openBrowser' | 'present' | 'readAnswer'>;

function createSource({ server, terminal, store }: LoginSetup, steps: LoginSteps): OAuthTokenSource {
  const { url, clientId, clientSecretVariable, clientMetadataUrl, scopes, loginTimeoutMs } = server;
  const { insecureHosts, assumeS256, ignoreIssuerSlash, dpop } = server;
  const { environment, keyboard } = terminal;
  const clientSecret =
    clientSecretVariable === undefined
      ? undefined
      : readVariable('client-secret-env', clientSecretVariable, environment);
  return new OAuthTokenSource({
    serverUrl: url,
    clientId,
    clientSecret,
    clientMetadataUrl,
    issuer: server.issuer,
    scopes,
    redirectUri: server.redirectUri,
    authorizationParameters: server.parameters,
    loginTimeoutMs,
    timeoutMs: loginTimeoutMs,
    insecureHosts,
    assumeS256,
    ignoreIssuerSlash,
    dpop,
    onWarning: (text) => terminal.complain(formatFlagNames(text)),
    store,
    ...steps,
    askForClientId: async (issuer) => {
      if (keyboard?.isTerminal !== true) return undefined;
      const question = `Client ID that you registered at ${makeLine(issuer)} (empty if none): `;
      const given = (await keyboard.ask(question))?.trim() ?? '';
      return given === '' ? undefined : { clientId: given };
    },
  });
}

/**
 * Formats a hint for a login that does not return. An authorization server must not redirect an unknown client, so
 * only its page shows the error (RFC 6749 §4.1.2.1).
 */
export function formatLoginFailureHint({ href }: URL): string {
  return `If the page shows an error such as "invalid_client", press Ctrl-C, run the following command, and log in again:\n  npx nestjs-mcp-cli logout ${href}`;
}
