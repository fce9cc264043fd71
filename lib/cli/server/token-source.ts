import { StaticTokenSource, type TokenSource } from '../../client/index.js';
import type { Terminal } from '../command.interface.js';
import { UsageError } from '../usage.error.js';
import type { ServerOptions } from './server-options.js';

/**
 * Creates what gives the tokens of a command: the variable that it names.
 *
 * @throws {UsageError} where the variable has no token
 */
export function createTokenSource(options: ServerOptions, terminal: Terminal): TokenSource | undefined {
  const { tokenVariable } = options;
  return tokenVariable === undefined ? undefined : readToken(tokenVariable, terminal.environment);
}

function readToken(name: string, environment: Terminal['environment']): StaticTokenSource {
  const token = environment[name] ?? '';
  if (token === '') throw new UsageError(`The variable "${name}" must have an access token, and is empty`);
  try {
    return new StaticTokenSource(token);
  } catch (cause) {
    throw new UsageError(
      `The variable "${name}" must have an access token alone, without "Bearer" before it`,
      {
        cause,
      },
    );
  }
}
