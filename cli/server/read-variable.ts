import type { Terminal } from '../command.interface.js';
import { UsageError } from '../usage.error.js';

/** The required contents of the variables named by options. */
const CONTENTS = {
  'token-env': 'the access token',
  'client-secret-env': 'the client secret',
  'header-env': 'the value of the header',
  env: 'the value of the variable',
} as const;

/** A conventional variable name. Anything else may be the secret itself, and is not printed. */
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
    `The variable named by "--${option}" must contain ${CONTENTS[option]}, but is empty: pass its name, without "$"`,
  );
}

/** The environment variables of a server process. */
export interface GivenVariables {
  readonly env: { readonly [name: string]: string };
  /** The names of the variables that are passed on from the environment. */
  readonly taken: readonly string[];
}

/**
 * Reads the option `--env`: `NAME=value`, or `NAME` for the current value of the variable. If a variable is passed
 * twice, the last value applies.
 *
 * @throws {UsageError} if one of them is not valid, or not set in the environment
 */
export function parseVariables(
  texts: readonly string[] = [],
  environment: Terminal['environment'],
): GivenVariables {
  const parsed = [...new Map(texts.map(parseVariable))];
  const entries = parsed.map(([name, value]) => [name, value ?? readVariable('env', name, environment)]);
  return {
    env: Object.fromEntries(entries) as GivenVariables['env'],
    taken: parsed.flatMap(([name, value]) => (value === undefined ? [name] : [])),
  };
}

function parseVariable(text: string): readonly [name: string, value: string | undefined] {
  const match = /^([A-Za-z_]\w*)(?:=([^\0]*))?$/.exec(text);
  if (match === null) throw new UsageError('"--env" must be of the form "NAME=value", or "NAME"');
  return [String(match[1]), match[2]];
}
