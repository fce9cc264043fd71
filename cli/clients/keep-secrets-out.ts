import { nameHeaderVariable, type Entry } from '../../lib/core/clients/describe-server.js';
import { describeInput } from '../../lib/core/clients/secret-reference.js';
import { UsageError } from '../usage.error.js';
import type { AddOptions } from './client-options.js';
import { listSecrets, namesSecret, referSecrets, type ReferredHeader } from './secret-headers.js';

/** A server as it may be written into a file. */
export interface WrittenServer {
  readonly options: AddOptions;
  /** The names of the headers and variables whose secrets are written. */
  readonly secrets: readonly string[];
  /** The questions that the file needs. */
  readonly inputs: readonly Entry[];
  /** What its user should know. */
  readonly notes: readonly string[];
}

/**
 * Writes names instead of secrets, if the client reads names.
 *
 * @throws {UsageError} if it does not, and nobody has said that secrets may be written
 */
export function keepSecretsOut(options: AddOptions): WrittenServer {
  const { client, name, connection } = options;
  const values = connection.kind === 'http' ? connection.headers : connection.env;
  const secrets = listSecrets(values, connection.variables);
  if (client.refer === undefined) {
    assertNoNames(options);
    return warn(options, secrets);
  }
  const place = { server: name, variables: connection.variables };
  const { headers: written, referred } = referSecrets(values, place, client.refer);
  const changed =
    connection.kind === 'http' ? { ...connection, headers: written } : { ...connection, env: written };
  return {
    options: { ...options, connection: changed },
    secrets: [],
    inputs: client.hasInputs === true ? referred.map(({ secret }) => describeInput(secret)) : [],
    notes: referred.map((one) => explain(one, options)),
  };
}

/** What the client does not replace would be sent as it is. */
function assertNoNames({ client, connection }: AddOptions): void {
  if (connection.kind !== 'http') return;
  const named = Object.entries(connection.headers).find(([, value]) => namesSecret(value));
  if (named === undefined || (client.isBridged === true && /^\$\{\w+\}$/.test(named[1]))) return;
  throw new UsageError(
    `${client.title} does not replace the name of a variable in "${named[0]}": give the variable by "--token-env" or "--header-env"`,
  );
}

function warn(options: AddOptions, secrets: readonly string[]): WrittenServer {
  const { client, scope, writesSecrets } = options;
  const [first] = secrets;
  if (first !== undefined && !writesSecrets) {
    throw new UsageError(
      `${client.title} reads no names of variables, so its file would have the value of "${first}": give "--write-secrets" if you want that`,
    );
  }
  const cure =
    scope === 'project'
      ? 'into a file that is likely to be committed: keep the file out of the repository'
      : 'where every program of yours can read it: keep the file out of backups that others read';
  const notes = secrets.map((name) => `Warning: the value of "${name}" is written as it is, ${cure}`);
  // A bridge has headers in variables.
  return { options, secrets: [...secrets, ...secrets.map(nameHeaderVariable)], inputs: [], notes };
}

function explain({ header, secret }: ReferredHeader, { client: { title, hasInputs } }: AddOptions): string {
  const found = `The value of "${header}" is not written`;
  return hasInputs === true
    ? `${found}: ${title} asks for it once, and keeps it`
    : `${found}: set it as the variable ${secret.variable} where ${title} starts`;
}
