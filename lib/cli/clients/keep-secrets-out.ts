import type { Entry } from '../../core/clients/describe-server.js';
import { describeInput } from '../../core/clients/secret-reference.js';
import type { AddOptions } from './client-options.js';
import { isSecret, referSecrets, type ReferredHeader } from './secret-headers.js';

/** A server as it may be written into a file that others read. */
export interface WrittenServer {
  readonly options: AddOptions;
  /** The questions that the file needs. */
  readonly inputs: readonly Entry[];
  /** What its user should know. */
  readonly notes: readonly string[];
}

/** Writes names instead of secrets into a file of a project, as far as the client reads names. A file of the user is read by nobody else. */
export function keepSecretsOut(options: AddOptions): WrittenServer {
  const { client, name, scope, connection } = options;
  if (scope === 'user') return { options, inputs: [], notes: [] };
  if (connection.kind === 'stdio') return warn(options, connection.env);
  if (client.refer === undefined) return warn(options, connection.headers);
  const { headers, referred } = referSecrets(connection.headers, name, client.refer);
  return {
    options: { ...options, connection: { ...connection, headers } },
    inputs: client.hasInputs === true ? referred.map(({ secret }) => describeInput(secret)) : [],
    notes: referred.map((one) => explain(one, options)),
  };
}

function warn(options: AddOptions, values: { readonly [name: string]: string }): WrittenServer {
  const secrets = Object.entries(values).filter(([name, value]) => isSecret(name, value));
  const notes = secrets.map(
    ([name]) =>
      `Warning: the value of "${name}" is written as it is, into a file that is likely to be committed: keep the file out of the repository`,
  );
  return { options, inputs: [], notes };
}

function explain({ header, secret }: ReferredHeader, { client: { title, hasInputs } }: AddOptions): string {
  const found = `The value of "${header}" is not written`;
  return hasInputs === true
    ? `${found}: ${title} asks for it once, and keeps it`
    : `${found}: set it as the variable ${secret.variable} where ${title} starts`;
}
