import type { WebhookFault } from './webhook-delivery.interface.js';

/** What the sketch names for subscribers. */
type ToldFault = Exclude<WebhookFault, 'http_3xx_redirect'>;

/** Names a fault as subscribers are told it: a redirect is one of the receiver's answers that take nothing. */
export function formatFault(fault: WebhookFault): ToldFault {
  return fault === 'http_3xx_redirect' ? 'http_4xx' : fault;
}
