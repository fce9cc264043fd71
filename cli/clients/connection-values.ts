import type { Terminal } from '../command.interface.js';
import { readHeaders, type HeaderValues } from '../server/header-options.js';
import type { GivenHeaders } from '../server/parse-header.js';
import { VARIABLE_NAME } from '../server/read-variable.js';
import { parseVariables } from '../server/parse-variables.js';
import { readAccessToken } from '../server/read-access-token.js';
import type { SecretVariables } from './client.interface.js';

/** The options that give headers and variables, and the environment that they read. */
export interface ConnectionValues extends HeaderValues {
  readonly 'token-env'?: string | undefined;
  readonly env?: readonly string[] | undefined;
  readonly environment: Terminal['environment'];
}

/** Stands for the value of a variable that is only named. It is written nowhere. */
const UNREAD = 'unread';

/** Gives values where a client is told the names of variables alone, which need not be set here. */
export function withNamesOnly(values: ConnectionValues): ConnectionValues {
  const { environment, 'token-env': token, 'header-env': headers = [], env = [] } = values;
  const named = [token, ...headers.map((text) => text.slice(text.indexOf(':') + 1).trim()), ...env];
  const unset = named.filter((name) => name !== undefined && VARIABLE_NAME.test(name) && !environment[name]);
  return {
    ...values,
    environment: { ...environment, ...Object.fromEntries(unset.map((name) => [name, UNREAD])) },
  };
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
 * Reads the variables of a server that a client starts. Without a value, one is taken from the environment.
 *
 * @throws {UsageError} if one of them is not valid, or not set in the environment
 */
export function parseConnectionVariables({ env: texts, environment }: ConnectionValues): {
  readonly env: { readonly [name: string]: string };
  readonly variables: SecretVariables;
} {
  const { env, taken } = parseVariables(texts, environment);
  return { env, variables: new Map(taken.map((name) => [name, { variable: name, before: '' }])) };
}
