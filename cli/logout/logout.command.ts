import {
  DiscoveryFailedError,
  logOut,
  NoAnswerError,
  type CredentialStore,
  type Logout,
} from '../../lib/client/authorization/index.js';
import { ExitCode, type Command, type Terminal } from '../command.interface.js';
import { formatHelp, type Help } from '../help.js';
import { parseArguments } from '../parse-arguments.js';
import { runSafely } from '../run-safely.js';
import { openCredentialStore } from '../server/credential-store.js';
import { explainFailure } from '../server/explain-failure.js';
import { parseOnlyEndpoint } from '../server/parse-endpoint.js';
import { readVariable } from '../server/read-variable.js';
import {
  CLIENT_OPTIONS,
  CONNECTION_EXIT_CODES,
  LENIENCY_OPTIONS,
  parseHost,
} from '../server/server-options.js';
import { UsageError } from '../usage.error.js';
import { makeLine } from '../visible-text.js';

const OPTIONS = { ...CLIENT_OPTIONS, ...LENIENCY_OPTIONS } as const;

const HELP: Help = {
  usage: ['logout <url> [options]'],
  description:
    'Delete the stored tokens and the client registration of a server, and revoke the tokens. Tokens that cannot be revoked stay valid until they expire.',
  options: OPTIONS,
  exitCodes: CONNECTION_EXIT_CODES,
};

/** How long an authorization server may take for all that it is asked. */
const TIMEOUT_MS = 20_000;

/** The end of the sentence about the logout. */
const CONSEQUENCES: { readonly [revocation in Logout['revocation']]: string } = {
  done: ', and revoked there',
  unneeded: '',
  unsupported: '; it is not revoked there, and lasts until it expires',
  failed: '',
};

/** Ends a login: `nestjs-mcp-cli logout <url>`. */
export const logoutCommand: Command = {
  help: HELP,
  run: (args, terminal) =>
    runSafely({ args, terminal, usage: formatHelp(HELP), explain: explainFailure }, () =>
      runLogout(args, terminal),
    ),
};

async function runLogout(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArguments(args, OPTIONS);
  const serverUrl = parseOnlyEndpoint(positionals).href;
  const clientSecret = readSecret(values, terminal.environment);
  const leniency = {
    insecureHosts: (values['insecure-host'] ?? []).map(parseHost),
    ignoreIssuerSlash: values['ignore-issuer-slash'] ?? false,
  };
  const store = openCredentialStore(terminal);
  const issuers = await store.issuers(serverUrl);
  const claim = { serverUrl, issuers, clientId: values['client-id'] };
  const secretIssuer = clientSecret === undefined ? undefined : await findSecretIssuer(store, claim);
  for (const issuer of issuers) {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const options = { store, signal, ...leniency, ...(issuer === secretIssuer && { clientSecret }) };
    const { revocation, error } = await logOut({ serverUrl, issuer }, options);
    const consequence = CONSEQUENCES[revocation];
    terminal.print(`Logged out of ${serverUrl}: what ${makeLine(issuer)} gave is forgotten${consequence}`);
    if (revocation === 'failed')
      terminal.complain(`It was not revoked there, and lasts until it expires: ${explain(error)}`);
  }
  const damaged = await store.deleteDamaged(serverUrl);
  if (damaged > 0) terminal.print(`The damaged files of a login to ${serverUrl} are removed`);
  else if (issuers.length === 0) terminal.print(`You were not logged in to ${serverUrl}`);
  return ExitCode.success;
}

interface SecretValues {
  readonly 'client-id'?: string | undefined;
  readonly 'client-secret-env'?: string | undefined;
}

function readSecret(values: SecretValues, environment: Terminal['environment']): string | undefined {
  const variable = values['client-secret-env'];
  if (variable !== undefined) return readVariable('client-secret-env', variable, environment);
  if (values['client-id'] === undefined) return undefined;
  throw new UsageError('"--client-id" must come with "--client-secret-env": it says whose the secret is');
}

/** After a logout, the user cannot follow the advice of these errors to try again. */
function explain(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return `there was no answer within ${TIMEOUT_MS} ms`;
  }
  if (error instanceof DiscoveryFailedError || error instanceof NoAnswerError) {
    return makeLine(`${error.url} ${error.problem}`);
  }
  return explainFailure(error)?.message ?? makeLine(String(error));
}

/** Whose secret it could be. */
interface SecretOwner {
  readonly serverUrl: string;
  /** The issuers for which something is kept. */
  readonly issuers: readonly string[];
  /** The client that the secret is of; absent if that is not said. */
  readonly clientId: string | undefined;
}

/**
 * Finds the issuer that a client's secret is for. It is shown to no other, and to nobody if it could be that of several.
 *
 * @throws {UsageError} if it is not clear whose it is
 * @see RFC 6749 §2.3.1
 */
async function findSecretIssuer(
  store: CredentialStore,
  { serverUrl, issuers, clientId }: SecretOwner,
): Promise<string | undefined> {
  const found = await Promise.all(
    issuers.map(async (issuer) => {
      const { registration } = (await store.get({ serverUrl, issuer })) ?? {};
      const isMeant = clientId === undefined || registration?.clientId === clientId;
      return registration?.origin === 'given' && isMeant ? [issuer] : [];
    }),
  );
  const [issuer, ...others] = found.flat();
  if (issuer === undefined && clientId !== undefined && issuers.length > 0) {
    throw new UsageError('"--client-id" must be an id that you gave at a login to this server');
  }
  if (others.length === 0) return issuer;
  const fix = clientId === undefined ? 'come with "--client-id"' : 'be left out';
  throw new UsageError(
    `"--client-secret-env" must ${fix}: it could be the secret of clients at several authorization servers`,
  );
}
