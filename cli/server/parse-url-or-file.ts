import { UsageError } from '../usage.error.js';
import { parseEndpoint } from './parse-endpoint.js';

/** Options that mean something for one kind of server alone. */
export interface AllowedOptions {
  /** What of a running server, known by its URL, an option can be about. */
  readonly ofUrls: readonly string[];
  /** The same of an application that is not running, known by its file. */
  readonly ofFiles: readonly string[];
}

/** Tells whether a command is given a URL, rather than a file. */
export function isUrl(target: string): boolean {
  return /^[a-z]+:\/\//i.test(target);
}

/** Tells whether an argument is a host with its port: a URL without its scheme. */
function isAddress(target: string): boolean {
  return /^(?:[\w.-]+|\[[\da-f:]+\]):\d+(?:\/|$)/i.test(target);
}

/**
 * Reads the only argument of a command that takes a URL or a file.
 *
 * @param values the given options: one that means nothing for what was given would be lost without a word
 * @throws {UsageError} if it is missing, if something follows, or if an option is for the other kind of server
 */
export function parseUrlOrFile(
  [target, ...others]: readonly string[],
  values: object,
  { ofUrls, ofFiles }: AllowedOptions,
): string {
  if (target === undefined || others.length > 0) {
    throw new UsageError('Expected one argument: the endpoint URL, or the file of the app');
  }
  // Read as a file, it would not be found, which says nothing of what is missing.
  if (isAddress(target)) parseEndpoint(target);
  const known = isUrl(target) ? ofUrls : ofFiles;
  const misplaced = Object.keys(values).find((name) => !known.includes(name));
  if (misplaced === undefined) return target;
  const meant = isUrl(target) ? 'the application of a file' : 'the URL of a running server';
  throw new UsageError(`"--${misplaced}" is for ${meant}`);
}
