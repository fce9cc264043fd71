import { isObject } from '../../../lib/core/protocol/json-rpc.js';

/** A `fetch` that notes which methods were sent. */
export class RecordedFetch {
  /** JSON-RPC methods in their order; `GET` and `DELETE` stand for themselves. */
  readonly sent: string[] = [];

  readonly fetch: typeof fetch = (input, init) => {
    const message: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    this.sent.push(isObject(message) ? String(message['method']) : (init?.method ?? 'GET'));
    return fetch(input, init);
  };

  /** How often a method was sent. */
  count(method: string): number {
    return this.sent.filter((one) => one === method).length;
  }
}
