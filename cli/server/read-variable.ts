import type { Terminal } from '../command.interface.js';
import { UsageError } from '../usage.error.js';

/** What stands in the variables that options name. */
const CONTENTS = {
  'token-env': 'the access token',
  'client-secret-env': 'the secret of the client',
  'header-env': 'the value of the header',
  env: 'the value of the variable',
} as const;

/** What people call variables: words in capitals. Whatever else is given may be the secret itself. */
export const VARIABLE_NAME = /^(?=.{1,64}$)(?:[A-Z]+|[A-Z\d]+(?:_[A-Z\d]+)+)$/;

/**
 * Reads the environment variable that an option names.
 *
 * @throws {UsageError} if it is not set, or is empty
 */
export function readVariable(
  option: keyof typeof CONTENTS,
  name: string,
  environment: Terminal['environment'],
): string {
  const value = environment[name] ?? '';
  if (value !== '') return value;
  if (VARIABLE_NAME.test(name)) throw new UsageError(`${name} is not set in this terminal: export it first`);
  throw new UsageError(
    `The variable that "--${option}" names must have ${CONTENTS[option]}, and is empty: give its name, without "$"`,
  );
}
