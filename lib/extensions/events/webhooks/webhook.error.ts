import { ErrorCode } from '../../../protocol/error-codes.js';
import { McpError } from '../../../protocol/mcp.error.js';

/** The codes that the working group's sketch of events has for what can be wrong with a webhook. */
const RESOURCE_EXHAUSTED = -32013;
const CALLBACK_ENDPOINT_ERROR = -32015;

/**
 * The URL cannot be a receiver's. One sentence stands for every address that is refused, and for names without one: a subscriber
 * learns nothing of the network behind the server.
 */
export class WebhookReceiverError extends McpError {
  constructor(explanation: string) {
    super(CALLBACK_ENDPOINT_ERROR, `The receiver "url" ${explanation}`, { reason: 'connection_refused' });
  }
}

/** The secret is none that could sign. */
export class WebhookSecretError extends McpError {
  constructor() {
    const expected = '"whsec_" and 24 to 64 random bytes in base64';
    super(ErrorCode.InvalidParams, `Invalid params: the "secret" must be ${expected}`);
  }
}

/** There are as many subscriptions as there may be: the client can try again later. */
export class WebhookLimitError extends McpError {
  constructor() {
    const text = 'The server has reached its limit of webhook subscriptions: try again later';
    super(RESOURCE_EXHAUSTED, text, { limit: 'subscriptions' });
  }
}

/** The id of a subscription is taken by somebody else: ids have to be made for each owner. */
export class WebhookOwnerError extends Error {
  override readonly name = 'WebhookOwnerError';

  constructor() {
    super('The "id" of the subscription belongs to another "owner": derive ids from who subscribes');
  }
}
