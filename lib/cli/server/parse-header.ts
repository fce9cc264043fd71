import { UsageError } from '../usage.error.js';

/** Headers by their names in lower case. */
export type GivenHeaders = { readonly [name: string]: string };

/**
 * Reads the option `--header`, each of the form `Name: value`.
 *
 * @throws {UsageError} if one of them is not valid, without showing it
 */
export function parseHeaders(texts: readonly string[] = [], option = '--header'): GivenHeaders {
  return Object.fromEntries(texts.map((text) => parseHeader(text, option)));
}

function parseHeader(text: string, option: string): readonly [name: string, value: string] {
  const match = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([\t\x20-\x7e]*)$/.exec(text);
  if (match === null) throw new UsageError(`"${option}" must be of the form "Name: value", in ASCII`);
  return [String(match[1]).toLowerCase(), String(match[2]).trim()];
}
