import type { Terminal } from '../command.interface.js';
import { UsageError } from '../usage.error.js';
import { parseHeaders, type GivenHeaders } from './parse-header.js';
import { readVariable } from './read-variable.js';

/** The options that give the headers of every request to a server. */
export const HEADER_OPTIONS = {
  header: { type: 'string', multiple: true },
  'header-env': { type: 'string', multiple: true },
} as const;

/** The lines of the usage about headers. */
export const HEADER_USAGE = `  --header-env 'Name: VAR'     a header whose value is in the variable VAR; may come several times
  --header 'Name: value'       sent to the server with every request; may come several times; npm logs it, so use --header-env for a
                               secret`;

/** What the options of {@link HEADER_OPTIONS} were given. */
export interface HeaderValues {
  readonly header?: readonly string[] | undefined;
  readonly 'header-env'?: readonly string[] | undefined;
}

/** Headers, and which of them came from the environment. */
export interface NamedHeaders {
  readonly headers: GivenHeaders;
  /** The variables by the names of their headers. */
  readonly variables: ReadonlyMap<string, string>;
}

/**
 * Reads the headers of every request. One from the environment goes before one of the same name that is given as it is.
 *
 * @throws {UsageError} if one of them is not valid, or a variable is empty
 */
export function readHeaders(values: HeaderValues, environment: Terminal['environment']): NamedHeaders {
  const named = Object.entries(parseHeaders(values['header-env'], 'header-env'));
  const read = named.map(([header, variable]) => [header, readHeader(variable, environment)]);
  return {
    headers: { ...parseHeaders(values.header), ...(Object.fromEntries(read) as GivenHeaders) },
    variables: new Map(named),
  };
}

function readHeader(variable: string, environment: Terminal['environment']): string {
  const value = readVariable('header-env', variable, environment);
  if (/^[\t\x20-\x7e]*$/.test(value)) return value;
  throw new UsageError('The variable that "--header-env" names must be one line of ASCII');
}
