import { isObject } from '../../../lib/core/protocol/json-rpc.js';
import type { GivenHeaders } from '../../server/parse-header.js';

/** The answers of the bare server from now on. */
export interface BarePart {
  /** The only path that it answers at. */
  readonly path: string;
  readonly status: number;
  readonly headers: GivenHeaders;
  readonly body: string;
  /** Where in the body the id of the request is written; less than 0 if it is nowhere. */
  readonly idOffset: number;
  /** What each request makes it write to every open stream. */
  readonly event?: string;
}

/** What the bare server says. */
export type BareReply = { readonly port: number } | { readonly isReady: true };

/** A request, as far as the bare server looks at it. */
export interface AskedMessage {
  readonly id: string | number;
  readonly method: string;
}

/** Tells a request from a notification. */
export function isAsked(message: unknown): message is AskedMessage {
  return isObject(message) && 'id' in message && typeof message['method'] === 'string';
}
