import type { IncomingMessage } from 'node:http';
import { isLoopbackAddress } from '../../core/network/is-loopback-address.js';
import { parseHost } from '../../core/network/parse-host.js';
import { isLoopbackHost } from '../../core/oauth/secure-url.js';

/** Headers that proxies, tunnels and meshes add. They show that the caller is on another machine. */
const OF_PROXIES =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|x-client-ip|x-cluster-client-ip|x-original-.*|x-envoy-.*|cf-.*|true-client-ip|fly-.*|fastly-.*|tailscale-.*|x-tunnel-.*|x-ms-.*|x-azure-.*|x-amzn-.*|x-appengine-.*)$/;

/** A request of HTTP/2, which has this instead of the header (RFC 9113 §8.3.1). */
interface HostedRequest extends IncomingMessage {
  readonly authority?: string;
}

/**
 * Tells whether a request comes from this machine and for this machine, without a proxy in between that says so. The name is asked for
 * too: a page of another site can have its own name lead here.
 */
export function isOfThisMachine(request: HostedRequest): boolean {
  const { headers, socket, authority } = request;
  if (!isLoopbackAddress(socket.remoteAddress ?? '')) return false;
  const name = parseHost(authority ?? headers.host ?? '');
  if (name === undefined || !isLoopbackHost(name)) return false;
  // A browser speaks no older HTTP; some proxies do, and may say nothing of themselves.
  if (request.httpVersionMajor === 1 && request.httpVersionMinor === 0) return false;
  return !Object.keys(headers).some((header) => OF_PROXIES.test(header));
}
