import { isLoopbackAddress } from '../../core/network/address-networks.js';
import { parseHost } from '../../core/network/host-names.js';
import { isLoopbackHost } from '../../core/oauth/secure-url.js';

/** Headers that proxies, tunnels and meshes add. They reveal that the caller is on another machine. */
const OF_PROXIES =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|x-client-ip|x-cluster-client-ip|x-original-.*|x-envoy-.*|cf-.*|true-client-ip|fly-.*|fastly-.*|tailscale-.*|x-tunnel-.*|x-ms-.*|x-azure-.*|x-amzn-.*|x-appengine-.*)$/;

/** A request as Node represents it. */
export interface RawRequest {
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly httpVersionMajor: number;
  readonly httpVersionMinor: number;
  /** The HTTP/2 equivalent of the `Host` header (RFC 9113 §8.3.1). */
  readonly authority?: string;
}

/**
 * Returns whether a request was sent from this machine to itself, with no detectable proxy in between. The host name
 * is checked too, because another site can make its name resolve to this machine (DNS rebinding).
 */
export function isOfThisMachine(request: RawRequest): boolean {
  const { headers, socket, authority } = request;
  if (!isLoopbackAddress(socket.remoteAddress ?? '')) return false;
  const name = parseHost(authority ?? String(headers['host'] ?? ''));
  if (name === undefined || !isLoopbackHost(name)) return false;
  // No browser uses HTTP/1.0, but some proxies do, and may add no header.
  if (request.httpVersionMajor === 1 && request.httpVersionMinor === 0) return false;
  return !Object.keys(headers).some((header) => OF_PROXIES.test(header));
}
