import { isLoopbackName } from '../network/private-names.js';
import { findUrl } from './find-url.js';

const LOOPBACK_ADDRESSES: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]']);

/** Tells whether the host of a URL is this machine: by its address, as `localhost` or as a name below that (RFC 6761 §6.3). */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK_ADDRESSES.has(hostname) || isLoopbackName(hostname);
}

/** Tells whether a URL leads to this machine itself. */
export function isLoopbackUrl(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname);
}

/**
 * Tells whether a text is a URL that is safe for tokens and keys: `https`, or `http` on this machine and to listed
 * hosts.
 *
 * @param insecureHosts hosts as {@link isHostName} has them
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

/** Tells whether a text is a host as URLs have it: in lower case, without scheme, port and path. */
export function isHostName(text: unknown): text is string {
  return typeof text === 'string' && HOST.test(text) && findUrl(`http://${text}`)?.hostname === text;
}
