import { ErrorCode } from '../../../../core/protocol/error-codes.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import type { WebhookProblem } from './webhook-delivery.interface.js';

/** The error codes of the working group's draft for webhooks. */
const RESOURCE_EXHAUSTED = -32013;
const CALLBACK_ENDPOINT_ERROR = -32015;

/** HTTP errors fail the challenge, so subscribers do not learn the status. */
type UnusableReason = Exclude<WebhookProblem, `http_${string}`>;

/**
 * Forbidden addresses and unknown names share one message, so subscribers learn nothing about the server's network.
 */
const EXPLANATIONS: Readonly<Record<UnusableReason, string>> = {
  connection_refused: 'must point only to public addresses that accept connections',
  timeout: 'must point to a receiver that responds in time',
  tls_error: 'must point to a receiver with a trusted certificate',
  challenge_failed:
    'must point to a receiver that responds to the "verification" message with its "challenge"',
};

/** Rejects a receiver URL. */
export class WebhookReceiverError extends McpError {
  private constructor(code: number, explanation: string, data?: { readonly reason: UnusableReason }) {
    super(code, `${data === undefined ? 'Invalid params: the' : 'The'} receiver "url" ${explanation}`, data);
  }

  /** The URL itself is invalid. */
  static malformed(explanation: string): WebhookReceiverError {
    return new WebhookReceiverError(ErrorCode.InvalidParams, explanation);
  }

  /** The URL points to a receiver that is forbidden or does not consent. The cause is never sent to clients. */
  static unusable(reason: UnusableReason, { cause }: ErrorOptions = {}): WebhookReceiverError {
    const error = new WebhookReceiverError(CALLBACK_ENDPOINT_ERROR, EXPLANATIONS[reason], { reason });
    if (cause !== undefined) error.cause = cause;
    return error;
  }
}

/** Rejects an invalid secret. */
export class WebhookSecretError extends McpError {
  constructor() {
    const expected = '"whsec_" followed by 24 to 64 random bytes in base64';
    super(ErrorCode.InvalidParams, `Invalid params: the "secret" must be ${expected}`);
  }
}

/** A limit is reached. The client can try again later. */
export class WebhookLimitError extends McpError {
  constructor(limit: 'subscriptions' | 'verifications') {
    const text = `The server has reached its limit of webhook ${limit}: try again later`;
    super(RESOURCE_EXHAUSTED, text, { limit });
  }
}

/** The subscription id belongs to another owner: derive ids from the owner. */
export class WebhookOwnerError extends Error {
  override readonly name = 'WebhookOwnerError';

  constructor() {
    super('The subscription "id" belongs to a different "owner": derive ids from the owner');
  }
}
