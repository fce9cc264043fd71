import {
  OAuthTokenSource,
  openBrowser,
  StaticTokenSource,
  type CredentialStore,
  type TokenSource,
} from '../../client/authorization/index.js';
import { isSecureUrl } from '../../core/oauth/secure-url.js';
import type { Terminal } from '../command.interface.js';
import { UsageError } from '../usage.error.js';
import { makeLine } from '../visible-text.js';
import { openCredentialStore } from './credential-store.js';
import { nameExits } from './name-exits.js';
import { KeptLoginSource, refuseLogin } from './kept-login-source.js';
import { readVariable } from './read-variable.js';
import type { ServerOptions } from './server-options.js';

/** Who logs in to which server, and where that is kept. */
export interface LoginSetup {
  readonly server: ServerOptions;
  readonly terminal: Terminal;
  readonly store: CredentialStore;
}

/**
 * Creates what gives the tokens of a command: the variable that it names, else the login that is kept. Where somebody
 * sits at a terminal they log in when it is needed. A server that others could read along with gets no token, and may want none.
 *
 * @throws {UsageError} where the variable has no token
 */
export function createTokenSource(server: ServerOptions, terminal: Terminal): TokenSource | undefined {
  const { tokenVariable, url, insecureHosts } = server;
  if (tokenVariable !== undefined) return readToken(tokenVariable, terminal.environment);
  if (!isSecureUrl(url.href, insecureHosts)) return undefined;
  const setup = { server, terminal, store: openCredentialStore(terminal) };
  return terminal.status === undefined ? createKeptLoginSource(setup) : createLoginSource(setup);
}

/** Creates what has the user log in, in a browser. */
export function createLoginSource(setup: LoginSetup): TokenSource {
  const { terminal } = setup;
  return createSource(setup, {
    openBrowser: async (url) => {
      terminal.complain(`Log in in your browser, at ${new URL(url).host}`);
      await openBrowser(url);
    },
    present: (url) =>
      terminal.complain(`No browser could be opened here. Open this page to log in:\n  ${url}`),
  });
}

/** Creates what uses the login that is kept, and begins none. */
function createKeptLoginSource(setup: LoginSetup): TokenSource {
  const { server, store } = setup;
  const refuse = refuseLogin(server.url.href);
  const source = createSource(setup, { openBrowser: refuse, present: refuse });
  const { insecureHosts, ignoreIssuerSlash } = server;
  const leniency = { insecureHosts, ignoreIssuerSlash };
  return new KeptLoginSource(source, { serverUrl: server.url.href, store, leniency });
}

interface LoginSteps {
  readonly openBrowser: (url: string) => Promise<void>;
  readonly present: (url: string) => void | Promise<void>;
}

function createSource({ server, terminal, store }: LoginSetup, steps: LoginSteps): OAuthTokenSource {
  const { url, clientId, clientSecretVariable, clientMetadataUrl, scopes } = server;
  const { insecureHosts, assumeS256, ignoreIssuerSlash } = server;
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
    insecureHosts,
    assumeS256,
    ignoreIssuerSlash,
    onWarning: (text) => terminal.complain(nameExits(text)),
    store,
    ...steps,
    askForClientId: async (issuer) => {
      if (keyboard?.isTerminal !== true) return undefined;
      const question = `The id of the client that you registered at ${makeLine(issuer)} (none: leave it empty): `;
      const given = (await keyboard.ask(question))?.trim() ?? '';
      return given === '' ? undefined : { clientId: given };
    },
  });
}

function readToken(name: string, environment: Terminal['environment']): StaticTokenSource {
  const token = readVariable('token-env', name, environment);
  try {
    return new StaticTokenSource(token);
  } catch (cause) {
    const message = `The variable "${name}" must have an access token alone, without "Bearer" before it`;
    throw new UsageError(message, { cause });
  }
}
