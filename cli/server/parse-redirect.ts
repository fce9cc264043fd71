import { assertLoopbackRedirect } from '../../lib/client/authorization/login/loopback/loopback-redirect.js';
import { UsageError } from '../usage.error.js';

/** The options that set the address to which the browser returns. */
export interface RedirectValues {
  readonly 'redirect-uri'?: string | undefined;
  readonly 'callback-port'?: string | undefined;
}

const MOST_PORTS = 65_535;

/**
 * Reads where the browser comes back to: a URL of this machine, or a port of it.
 *
 * @throws {UsageError} if nothing here could listen there
 */
export function parseRedirect(values: RedirectValues): string | undefined {
  const { 'redirect-uri': uri, 'callback-port': port } = values;
  if (uri !== undefined && port !== undefined) {
    throw new UsageError('"--redirect-uri" must not stand beside "--callback-port": give one of them');
  }
  if (port !== undefined) return `http://127.0.0.1:${parsePort(port)}/callback`;
  return uri === undefined ? undefined : parseUri(uri);
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= MOST_PORTS) return port;
  throw new UsageError(`"--callback-port" must be a port between 1 and ${MOST_PORTS}`);
}

function parseUri(uri: string): string {
  try {
    assertLoopbackRedirect(uri);
    return uri;
  } catch (cause) {
    throw new UsageError(
      '"--redirect-uri" must be an "http:" URL of this machine without query and fragment, such as "http://localhost:3118/callback"',
      { cause },
    );
  }
}
