import type { InboundMessage } from '../../core/protocol/parse-message.js';

/** What a client can send for ever without wanting anything of its session. */
const NO_USE: ReadonlySet<string> = new Set(['initialize', 'notifications/initialized', 'ping']);

/** Tells whether a message counts as use of its session. */
export function isUse({ kind, message }: Pick<InboundMessage, 'kind' | 'message'>): boolean {
  return kind === 'response' || !('method' in message && NO_USE.has(message.method));
}
