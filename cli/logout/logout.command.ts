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
    "Delete a server's stored tokens and client registration, and revoke the tokens. Tokens that cannot be revoked stay valid until they expire.",
  options: OPTIONS,
  exitCodes: CONNECTION_EXIT_CODES,
};

/** The timeout for all requests to an authorization server. */
const TIMEOUT_MS = 20_000;

/** The final clause of the logout message. */
const CONSEQUENCES: { readonly [revocation in Logout['revocation']]: string } = {
  done: ', and the tokens were revoked',
  unneeded: '',
  unsupported: '; the tokens cannot be revoked there, and remain valid until they expire',
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
    terminal.print(
      `Logged out of ${serverUrl}: the credentials from ${makeLine(issuer)} were deleted${consequence}`,
    );
    if (revocation === 'failed')
      terminal.complain(
        `The tokens could not be revoked, and remain valid until they expire: ${explain(error)}`,
      );
  }
  const damaged = await store.deleteDamaged(serverUrl);
  if (damaged > 0) terminal.print(`Removed the damaged files of a login to ${serverUrl}`);
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
  throw new UsageError(
    '"--client-id" requires "--client-secret-env": it identifies the client that the secret belongs to',
  );
}

/** After a logout, the user cannot follow the advice of these errors to try again. */
function explain(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return `there was no response within ${TIMEOUT_MS} ms`;
  }
  if (error instanceof DiscoveryFailedError || error instanceof NoAnswerError) {
    return makeLine(`${error.url} ${error.problem}`);
  }
  return explainFailure(error)?.message ?? makeLine(String(error));
}

/** The clients that a secret may belong to. */
interface SecretOwner {
  readonly serverUrl: string;
  /** The issuers of the stored credentials. */
  readonly issuers: readonly string[];
  /** The client that the secret belongs to; absent if the user did not pass it. */
  readonly clientId: string | undefined;
}

/**
 * Finds the issuer of the client that a secret belongs to. The secret is not sent to any other issuer, or to any
 * issuer if several are possible.
 *
 * @throws {UsageError} if several clients are possible
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
    throw new UsageError('"--client-id" must be an id that you passed when you logged in to this server');
  }
  if (others.length === 0) return issuer;
  const fix = clientId === undefined ? 'requires "--client-id"' : 'must be omitted';
  throw new UsageError(
    `"--client-secret-env" ${fix}: the secret could belong to clients at several authorization servers`,
  );
}
