import { UsageError } from '../usage.error.js';

/**
 * Reads the URL of an endpoint.
 *
 * @throws {UsageError} where it is none
 */
export function parseEndpoint(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new UsageError('The URL must begin with "https://" or "http://"');
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('The URL must carry no password');
  }
  url.hash = '';
  return url;
}
