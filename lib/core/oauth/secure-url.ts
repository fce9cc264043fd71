import { isLoopbackName } from '../network/host-names.js';

const LOOPBACK_ADDRESSES: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]']);

/** Returns whether a URL's host is this machine: its address, `localhost`, or a subdomain (RFC 6761 §6.3). */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK_ADDRESSES.has(hostname) || isLoopbackName(hostname);
}

/** Returns whether a URL points to this machine. */
export function isLoopbackUrl(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname);
}

/**
 * Returns whether a value is a URL that is safe for tokens and keys: `https`, or `http` to this machine and to listed
 * hosts.
 *
 * @param insecureHosts hosts in the form that {@link isHostName} accepts
 */
export function isSecureUrl(url: unknown, insecureHosts: readonly string[] = []): url is string {
  const found = typeof url === 'string' ? findUrl(url) : undefined;
  if (found === undefined) return false;
  const { protocol, hostname } = found;
  return protocol === 'https:' || (protocol === 'http:' && mayBeInsecure(hostname, insecureHosts));
}

function mayBeInsecure(hostname: string, insecureHosts: readonly string[]): boolean {
  return isLoopbackHost(hostname) || insecureHosts.includes(hostname);
}

const HOST = /^(?:[\w.-]+|\[[0-9a-f:.]+\])$/;

/** Returns whether a value is a host as in a URL: lower case, without scheme, port or path. */
export function isHostName(text: unknown): text is string {
  return typeof text === 'string' && HOST.test(text) && findUrl(`http://${text}`)?.hostname === text;
}

/**
 * Parses a URL. Returns `undefined` for anything else.
 *
 * It does not use `URL.canParse`: after some thousand calls, Node 20 and 22 wrongly accept invalid URLs with non-ASCII
 * letters.
 */
export function findUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
