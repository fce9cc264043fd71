import { UsageError } from '../usage.error.js';

/** How each option is written. */
const FORMS = { header: 'Name: value', 'header-env': 'Name: VARIABLE' } as const;

/** Headers by their names in lower case. */
export type GivenHeaders = { readonly [name: string]: string };

/**
 * Reads the option `--header`, each of the form `Name: value`, or `--header-env`, each of the form `Name: VARIABLE`.
 *
 * @throws {UsageError} if one of them is not valid, without showing it
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
