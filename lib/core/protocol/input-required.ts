import type { OpenObject } from './capabilities.js';
import type { InputRequest } from './input-requests.js';
import { isObject } from './json-rpc.js';

/**
 * Ends a call with questions to the client, which then calls again with the answers (MCP 2026-07-28
 * basic/patterns/mrtr). A handler may return it instead of a result.
 */
export interface InputRequiredResult {
  readonly resultType: 'input_required';
  readonly inputRequests?: { readonly [key: string]: InputRequest };
  /** A value that the handler gets back in the next round. The server signs it. */
  readonly requestState?: string;
  readonly _meta?: OpenObject;
}

/** Tells whether a handler returned questions instead of a result. */
export function isInputRequired(value: unknown): value is InputRequiredResult {
  return isObject(value) && value['resultType'] === 'input_required';
}
