import type { Terminal } from '../command.interface.js';
import { listOption } from '../help.js';
import { UsageError } from '../usage.error.js';
import { readVariable } from './read-variable.js';

/** The options that set headers on every request to a server. */
export const HEADER_OPTIONS = {
  'header-env': listOption(
    "'Name: VARIABLE'",
    'Header for every request, with its value in an environment variable',
  ),
  header: listOption(
    "'Name: value'",
    'Header for every request; npm logs arguments, so use --header-env for secrets',
  ),
};

/** The values of {@link HEADER_OPTIONS}. */
export interface HeaderValues {
  readonly header?: readonly string[] | undefined;
  readonly 'header-env'?: readonly string[] | undefined;
}

/** Headers, and the environment variables that contain some of them. */
export interface NamedHeaders {
  readonly headers: GivenHeaders;
  /** The variables, keyed by header name. */
  readonly variables: ReadonlyMap<string, string>;
}

/**
 * Reads the headers for every request. A header from `--header-env` overrides a header from `--header`.
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
  throw new UsageError('The variable named by "--header-env" must contain one line of ASCII');
}

/** The form of each option. */
const FORMS = { header: 'Name: value', 'header-env': 'Name: VARIABLE' } as const;

/** Headers, keyed by name in lower case. */
export type GivenHeaders = { readonly [name: string]: string };

/**
 * Reads the option `--header`, each of the form `Name: value`, or `--header-env`, each of the form `Name: VARIABLE`.
 *
 * @throws {UsageError} if one of them is invalid; the error does not show it
 */
export function parseHeaders(
  texts: readonly string[] = [],
  option: keyof typeof FORMS = 'header',
): GivenHeaders {
  return Object.fromEntries(texts.map((text) => parseHeader(text, option)));
}

function parseHeader(text: string, option: keyof typeof FORMS): readonly [name: string, value: string] {
  const match = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([\t\x20-\x7e]*)$/.exec(text);
  if (match === null) throw new UsageError(`"--${option}" must be of the form "${FORMS[option]}", in ASCII`);
  return [String(match[1]).toLowerCase(), String(match[2]).trim()];
}
