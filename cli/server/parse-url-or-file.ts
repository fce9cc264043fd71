import { UsageError } from '../usage.error.js';
import { parseEndpoint } from './parse-endpoint.js';

/** The options for a server at a URL, and the options for the application in a file. */
export interface AllowedOptions {
  /** The options for a server at a URL. */
  readonly ofUrls: readonly string[];
  /** The options for the application in a file. */
  readonly ofFiles: readonly string[];
}

/** Returns whether an argument is a URL rather than a file. */
export function isUrl(target: string): boolean {
  return /^[a-z]+:\/\//i.test(target);
}

/** Returns whether an argument is a host and a port, that is, a URL without its scheme. */
function isAddress(target: string): boolean {
  return /^(?:[\w.-]+|\[[\da-f:]+\]):\d+(?:\/|$)/i.test(target);
}

/**
 * Parses the only argument of a command that accepts a URL or a file.
 *
 * @param values the options; options for the other kind are rejected rather than ignored
 * @throws {UsageError} if it is missing, if further arguments follow, or if an option is for the other kind of server
 */
export function parseUrlOrFile(
  [target, ...others]: readonly string[],
  values: object,
  { ofUrls, ofFiles }: AllowedOptions,
): string {
  if (target === undefined || others.length > 0) {
    throw new UsageError('Expected one argument: the endpoint URL, or the path to the app file');
  }
  // "File not found" would not explain that the scheme is missing.
  if (isAddress(target)) parseEndpoint(target);
  const known = isUrl(target) ? ofUrls : ofFiles;
  const misplaced = Object.keys(values).find((name) => !known.includes(name));
  if (misplaced === undefined) return target;
  const meant = isUrl(target) ? 'the app in a file' : 'the URL of a running server';
  throw new UsageError(`"--${misplaced}" applies only to ${meant}`);
}
