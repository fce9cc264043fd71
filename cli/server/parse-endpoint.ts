import { UsageError } from '../usage.error.js';

/**
 * Reads an endpoint URL.
 *
 * @throws {UsageError} if it is missing or invalid
 */
export function parseEndpoint(text: string | undefined): URL {
  if (text === undefined) throw new UsageError('Missing argument: the endpoint URL');
  if (!/^https?:\/\//i.test(text)) throw new UsageError('The URL must start with "https://" or "http://"');
  if (!URL.canParse(text)) throw new UsageError('The URL must have a valid host and a valid port');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('The URL must not contain a user name or a password');
  }
  url.hash = '';
  return url;
}

/**
 * Reads an endpoint URL, if there are no other arguments except options.
 *
 * @throws {UsageError} if it is missing or invalid, or if further arguments follow
 */
export function parseOnlyEndpoint([url, ...others]: readonly string[]): URL {
  if (others.length > 0) throw new UsageError('Too many arguments: expected only the endpoint URL');
  return parseEndpoint(url);
}
