import { isObject } from '../../../lib/core/protocol/json-rpc.js';
import type { GivenHeaders } from '../../server/parse-header.js';

/** The response that the baseline server sends from now on. */
export interface BarePart {
  /** The only path that it serves. */
  readonly path: string;
  readonly status: number;
  readonly headers: GivenHeaders;
  readonly body: string;
  /** The offset of the request id in the body; negative if the body does not contain it. */
  readonly idOffset: number;
  /** The event that it writes to every open stream for each request. */
  readonly event?: string;
}

/** A message from the baseline server to its parent process. */
export type BareReply = { readonly port: number } | { readonly isReady: true };

/** The request properties that the baseline server reads. */
export interface AskedMessage {
  readonly id: string | number;
  readonly method: string;
}

/** Returns whether a message is a request rather than a notification. */
export function isAsked(message: unknown): message is AskedMessage {
  return isObject(message) && 'id' in message && typeof message['method'] === 'string';
}
