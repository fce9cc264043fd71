export type { ResolveHost, WebhookOptions } from '../../../settings/webhook-options.interface.js';
