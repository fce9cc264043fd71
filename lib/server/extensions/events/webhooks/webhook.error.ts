import { ErrorCode } from '../../../../core/protocol/error-codes.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import type { WebhookFault } from './webhook-delivery.interface.js';

/** The codes that the working group's sketch of events has for what can be wrong with a webhook. */
const RESOURCE_EXHAUSTED = -32013;
const CALLBACK_ENDPOINT_ERROR = -32015;

/** Any answer except an echo fails the challenge. A subscriber does not learn its status. */
type UnusableReason = Exclude<WebhookFault, `http_${string}`>;

/** Whatever an address was refused for, and names without one: a subscriber learns nothing of the network behind the server. */
const EXPLANATIONS: Readonly<Record<UnusableReason, string>> = {
  connection_refused: 'must lead only to public addresses that accept connections',
  timeout: 'must lead to a receiver that answers in time',
  tls_error: 'must lead to a receiver with a trusted certificate',
  challenge_failed: 'must lead to a receiver that answers the message "verification" with its "challenge"',
};

/** The URL cannot be a receiver's. */
export class WebhookReceiverError extends McpError {
  private constructor(code: number, explanation: string, data?: { readonly reason: UnusableReason }) {
    super(code, `${data === undefined ? 'Invalid params: the' : 'The'} receiver "url" ${explanation}`, data);
  }

  /** The URL is none of a receiver, wherever it leads. */
  static malformed(explanation: string): WebhookReceiverError {
    return new WebhookReceiverError(ErrorCode.InvalidParams, explanation);
  }

  /** The URL leads to where nothing may be sent, or nobody wants it. The cause is for this server alone: no answer has it. */
  static unusable(reason: UnusableReason, { cause }: ErrorOptions = {}): WebhookReceiverError {
    const error = new WebhookReceiverError(CALLBACK_ENDPOINT_ERROR, EXPLANATIONS[reason], { reason });
    if (cause !== undefined) error.cause = cause;
    return error;
  }
}

/** The secret is none that could sign. */
export class WebhookSecretError extends McpError {
  constructor() {
    const expected = '"whsec_" and 24 to 64 random bytes in base64';
    super(ErrorCode.InvalidParams, `Invalid params: the "secret" must be ${expected}`);
  }
}

/** There is as much as there may be: the client can try again later. */
export class WebhookLimitError extends McpError {
  constructor(limit: 'subscriptions' | 'verifications') {
    const text = `The server has reached its limit of webhook ${limit}: try again later`;
    super(RESOURCE_EXHAUSTED, text, { limit });
  }
}

/** The id of a subscription is taken by somebody else: ids have to be made for each owner. */
export class WebhookOwnerError extends Error {
  override readonly name = 'WebhookOwnerError';

  constructor() {
    super('The "id" of the subscription belongs to another "owner": derive ids from who subscribes');
  }
}
