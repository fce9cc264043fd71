import { isObject } from '../../protocol/json-rpc.js';
import type { McpResponse, Target } from '../target.js';
import { buildHandshaken } from './messages.js';

/** Sends a request for a capability that the server declares. */
export type SendRequest = (
  method: string,
  params: { readonly [name: string]: unknown },
  headers?: { readonly [name: string]: string },
) => Promise<McpResponse>;

/** How to send requests to a server, and the capabilities it declares that way. */
export interface Requester {
  readonly request: SendRequest;
  readonly capabilities: { readonly [name: string]: unknown };
}

/**
 * Selects how to send requests for what a server declares: in the session, without a handshake, or after a handshake of
 * an unstored session. Returns nothing if the server does not declare it.
 */
export async function selectRequester(
  target: Target,
  isDeclared: (capabilities: Requester['capabilities']) => boolean,
): Promise<Requester | undefined> {
  const session = await target.session();
  const shaken = readCapabilities((await target.initialize()).result);
  if (isDeclared(shaken)) {
    const request: SendRequest = (method, params) =>
      target.send(buildHandshaken(method, params, session?.headers ?? {}));
    return { request, capabilities: shaken };
  }
  const discovered = readCapabilities((await target.discovery()).result);
  if (!isDeclared(discovered)) return undefined;
  const request: SendRequest = (method, params, headers) =>
    target.send(target.introductions.buildPerRequest(method, params), { headers: headers ?? {} });
  return { request, capabilities: discovered };
}

function readCapabilities(result: McpResponse['result']): Requester['capabilities'] {
  const capabilities: unknown = result?.['capabilities'];
  return isObject(capabilities) ? capabilities : {};
}
