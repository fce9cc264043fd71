import type { OpenObject } from './capabilities.js';
import type { ClientRequest } from './client-requests.js';
import { isObject } from './json-rpc.js';

/**
 * Ends a call with input requests, after which the client calls again with the answers (MCP 2026-07-28
 * basic/patterns/mrtr). A handler may return it instead of a result.
 */
export interface InputRequiredResult {
  readonly resultType: 'input_required';
  readonly inputRequests?: { readonly [key: string]: ClientRequest };
  /** A value that the handler gets back in the next round. The server signs it. */
  readonly requestState?: string;
  readonly _meta?: OpenObject;
}

/** Returns whether a handler returned input requests instead of a result. */
export function isInputRequired(value: unknown): value is InputRequiredResult {
  return isObject(value) && value['resultType'] === 'input_required';
}
