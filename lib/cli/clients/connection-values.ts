import type { Terminal } from '../command.interface.js';
import { readHeaders, type HeaderValues } from '../server/header-options.js';
import type { GivenHeaders } from '../server/parse-header.js';
import { readAccessToken } from '../server/read-access-token.js';
import { readVariable } from '../server/read-variable.js';
import { UsageError } from '../usage.error.js';
import type { SecretVariables } from './client.interface.js';

/** The options that give headers and variables, and the environment that they read. */
export interface ConnectionValues extends HeaderValues {
  readonly 'token-env'?: string | undefined;
  readonly env?: readonly string[] | undefined;
  readonly environment: Terminal['environment'];
}

/**
 * Reads the headers of a server at a URL, and which variables they are taken from.
 *
 * @throws {UsageError} if one of them is not valid, or a variable is empty
 */
export function parseConnectionHeaders(values: ConnectionValues): {
  readonly headers: GivenHeaders;
  readonly variables: SecretVariables;
} {
  const { environment, 'token-env': tokenVariable } = values;
  const { headers, variables: named } = readHeaders(values, environment);
  const variables = new Map([...named].map(([header, variable]) => [header, { variable, before: '' }]));
  if (tokenVariable === undefined) return { headers, variables };
  const token = readAccessToken({ tokenVariable, headers }, environment);
  return {
    headers: { ...headers, authorization: `Bearer ${token}` },
    variables: variables.set('authorization', { variable: tokenVariable, before: 'Bearer ' }),
  };
}

/**
 * Reads the variables of a server that is started. Without a value, one is taken from the environment.
 *
 * @throws {UsageError} if one of them is not valid, or empty in the environment
 */
export function parseVariables({ env = [], environment }: ConnectionValues): {
  readonly env: { readonly [name: string]: string };
  readonly variables: SecretVariables;
} {
  // Of a variable that is given twice, the last one counts.
  const parsed = [...new Map(env.map(parseVariable))];
  const entries = parsed.map(([name, value]) => [name, value ?? readVariable('env', name, environment)]);
  const taken = parsed.flatMap(([name, value]) => (value === undefined ? [name] : []));
  return {
    env: Object.fromEntries(entries) as { readonly [name: string]: string },
    variables: new Map(taken.map((name) => [name, { variable: name, before: '' }])),
  };
}

function parseVariable(text: string): readonly [name: string, value: string | undefined] {
  const match = /^([A-Za-z_]\w*)(?:=([^\0]*))?$/.exec(text);
  if (match === null) throw new UsageError('"--env" must be of the form "NAME=value", or "NAME"');
  return [String(match[1]), match[2]];
}
