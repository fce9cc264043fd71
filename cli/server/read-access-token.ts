import { isHeaderWord } from '../../lib/core/words/words.js';
import type { Terminal } from '../command.interface.js';
import { UsageError } from '../usage.error.js';
import type { GivenHeaders } from './parse-header.js';
import { readVariable } from './read-variable.js';

/** The options that pass an access token. */
export interface TokenOptions {
  /** The token itself. */
  readonly token?: string | undefined;
  /** The environment variable that contains it. */
  readonly tokenVariable?: string | undefined;
  /** The headers of every request. An `Authorization` header replaces a token from the environment. */
  readonly headers: GivenHeaders;
}

/** The environment variable that is read if no option passes a token. */
const TOKEN_VARIABLE = 'MCP_TOKEN';

/**
 * Reads the access token from an option or from the environment.
 *
 * @throws {UsageError} if it cannot be sent in a header; the error does not show it
 */
export function readAccessToken(
  { token, tokenVariable, headers }: TokenOptions,
  environment: Terminal['environment'],
): string | undefined {
  if (token !== undefined && tokenVariable !== undefined) {
    throw new UsageError('"--token" cannot be combined with "--token-env": pass only one of them');
  }
  const option = tokenVariable === undefined ? '--token' : '--token-env';
  if ((token ?? tokenVariable) !== undefined && headers['authorization'] !== undefined) {
    throw new UsageError(
      `"${option}" cannot be combined with another "Authorization": pass only one of them`,
    );
  }
  if (tokenVariable !== undefined) return readNamed(tokenVariable, environment);
  const found = headers['authorization'] === undefined ? environment[TOKEN_VARIABLE] : undefined;
  const text = token ?? found ?? '';
  if (text === '' || isHeaderWord(text)) return text || undefined;
  const source = token === undefined ? TOKEN_VARIABLE : '--token';
  throw new UsageError(`"${source}" must be visible ASCII without spaces: pass the token without its scheme`);
}

function readNamed(variable: string, environment: Terminal['environment']): string {
  const token = readVariable('token-env', variable, environment);
  if (isHeaderWord(token)) return token;
  throw new UsageError(
    `The variable "${variable}" must contain only an access token, without "Bearer" in front of it`,
  );
}
