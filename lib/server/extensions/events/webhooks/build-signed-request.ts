import type { ReceiverRequest } from './post-message.js';
import { signMessage, type SignedMessage } from './sign-message.js';

/** Builds the request that brings a message to the receiver of a subscription, signed now. */
export function buildSignedRequest(
  { id, body }: Pick<SignedMessage, 'id' | 'body'>,
  subscription: { readonly id: string; readonly receiver: URL },
  keys: readonly Buffer[],
): ReceiverRequest {
  const signed = signMessage({ id, body, sentAt: Date.now() }, keys);
  const headers = { ...signed, 'x-mcp-subscription-id': subscription.id };
  return { url: subscription.receiver, headers, body };
}
