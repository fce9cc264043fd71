import type { Terminal } from '../command.interface.js';
import { UsageError } from '../usage.error.js';
import { readVariable } from './read-variable.js';

/** The variables of a server that is started. */
export interface GivenVariables {
  readonly env: { readonly [name: string]: string };
  /** The names of those whose value is taken from the environment. */
  readonly taken: readonly string[];
}

/**
 * Reads the option `--env`: `NAME=value`, or `NAME` for the value that the variable has here. Of a variable that is given
 * twice, the last one counts.
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
