import { isObject } from '../../protocol/json-rpc.js';
import type { McpAnswer, Target } from '../target.js';
import { buildHandshaken } from './messages.js';

/** Asks the server for something that it declares. */
export type Ask = (
  method: string,
  params: { readonly [name: string]: unknown },
  headers?: { readonly [name: string]: string },
) => Promise<McpAnswer>;

/** How a server can be asked, and what it declares there. */
export interface Asking {
  readonly ask: Ask;
  readonly capabilities: { readonly [name: string]: unknown };
}

/**
 * Selects how to ask a server for what it declares, depending on the server: in the session, without a handshake, or after a
 * handshake that is not kept. Nothing if it does not declare it.
 */
export async function selectAsking(
  target: Target,
  isDeclared: (capabilities: Asking['capabilities']) => boolean,
): Promise<Asking | undefined> {
  const session = await target.session();
  const shaken = readCapabilities((await target.initialize()).result);
  if (isDeclared(shaken)) {
    const ask: Ask = (method, params) => target.send(buildHandshaken(method, params, session?.headers ?? {}));
    return { ask, capabilities: shaken };
  }
  const discovered = readCapabilities((await target.discovery()).result);
  if (!isDeclared(discovered)) return undefined;
  const ask: Ask = (method, params, headers) =>
    target.send(target.introductions.buildPerRequest(method, params), { headers: headers ?? {} });
  return { ask, capabilities: discovered };
}

function readCapabilities(result: McpAnswer['result']): Asking['capabilities'] {
  const capabilities: unknown = result?.['capabilities'];
  return isObject(capabilities) ? capabilities : {};
}
