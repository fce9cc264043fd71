import { metaKey } from '../../../support/clients/message.js';
import type { RawRequest } from '../../../support/clients/raw-http.js';
import { PROTOCOL_VERSIONS } from '../../../bench/wire.js';
import { KeptResponse } from './kept-response.js';

const METHOD = 'subscriptions/listen';
const PARAMS = {
  notifications: { resourceSubscriptions: ['cluster://watched'] },
  _meta: {
    [metaKey('protocolVersion')]: PROTOCOL_VERSIONS.perRequest,
    [metaKey('clientCapabilities')]: {},
    [metaKey('clientInfo')]: { name: 'soak', version: '1.0.0' },
  },
};
const REQUEST: RawRequest = {
  json: { jsonrpc: '2.0', id: 1, method: METHOD, params: PARAMS },
  headers: {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': PROTOCOL_VERSIONS.perRequest,
    'mcp-method': METHOD,
  },
};

/** A client that listens by `subscriptions/listen`: what is published while it is away it is not told. */
export class ListeningClient extends KeptResponse {
  /** How often it was told of an update. */
  updates = 0;
  /** How often its stream was acknowledged. */
  acknowledged = 0;

  get isOpen(): boolean {
    return this.acknowledged > 0;
  }

  protected buildRequest(): RawRequest {
    return REQUEST;
  }

  protected take(data: string): boolean {
    if (data.includes('"notifications/subscriptions/acknowledged"')) this.acknowledged += 1;
    if (!data.includes('"notifications/resources/updated"')) return false;
    this.updates += 1;
    return true;
  }
}
