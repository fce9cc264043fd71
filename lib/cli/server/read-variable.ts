import type { Terminal } from '../command.interface.js';
import { UsageError } from '../usage.error.js';

/** What stands in the variables that options name. */
const CONTENTS = {
  'token-env': 'the access token',
  'client-secret-env': 'the secret of the client',
  'header-env': 'the value of the header',
  env: 'the value of the variable',
} as const;

/**
 * Reads the environment variable that an option names.
 *
 * @throws {UsageError} if it is empty; the message does not repeat what was given, which may be the secret itself
 */
export function readVariable(
  option: keyof typeof CONTENTS,
  name: string,
  environment: Terminal['environment'],
): string {
  const value = environment[name] ?? '';
  if (value !== '') return value;
  throw new UsageError(
    `The variable that "--${option}" names must have ${CONTENTS[option]}, and is empty: give its name, without "$"`,
  );
}
