import type { Terminal } from '../command.interface.js';
import { parseHeaders, type GivenHeaders } from '../server/parse-header.js';
import { readAccessToken } from '../server/read-access-token.js';
import { readVariable } from '../server/read-variable.js';
import { UsageError } from '../usage.error.js';
import type { SecretVariables } from './client.interface.js';

/** What the options say that a connection has, and the environment from which some of it is taken. */
export interface ConnectionValues {
  readonly header?: readonly string[] | undefined;
  readonly 'header-env'?: readonly string[] | undefined;
  readonly 'token-env'?: string | undefined;
  readonly env?: readonly string[] | undefined;
  readonly environment: Terminal['environment'];
}

/**
 * Reads the headers of a server at a URL. A secret that is taken from a variable is known by the name of the variable.
 *
 * @throws {UsageError} if one of them is not valid, or a variable is empty
 */
export function parseConnectionHeaders(values: ConnectionValues): {
  readonly headers: GivenHeaders;
  readonly variables: SecretVariables;
} {
  const { environment, 'token-env': tokenVariable } = values;
  const named = { ...parseHeaders(values['header-env'], '--header-env') };
  const read = Object.entries(named).map(([header, variable]) => [
    header,
    readVariable('header-env', variable, environment),
  ]);
  const headers = { ...parseHeaders(values.header), ...(Object.fromEntries(read) as GivenHeaders) };
  if (tokenVariable === undefined) return { headers, variables: named };
  if (headers['authorization'] !== undefined)
    throw new UsageError('"--token-env" must not stand beside another "Authorization": give one of them');
  const token = readAccessToken({ tokenVariable, headers }, environment);
  return {
    headers: { ...headers, authorization: `Bearer ${token}` },
    variables: { ...named, authorization: tokenVariable },
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
  const parsed = env.map(parseVariable);
  const taken = parsed.flatMap(({ name, value }) => (value === undefined ? [name] : []));
  const entries = parsed.map(({ name, value }) => [name, value ?? readVariable('env', name, environment)]);
  return {
    env: Object.fromEntries(entries) as { readonly [name: string]: string },
    variables: Object.fromEntries(taken.map((name) => [name, name])),
  };
}

function parseVariable(text: string): { readonly name: string; readonly value: string | undefined } {
  const match = /^([A-Za-z_]\w*)(?:=([^\0]*))?$/.exec(text);
  if (match === null) throw new UsageError('"--env" must be of the form "NAME=value", or "NAME"');
  return { name: String(match[1]), value: match[2] };
}
