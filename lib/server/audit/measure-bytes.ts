import type { OutboundMessage } from '../../core/protocol/outbound-message.js';

/** Counts the bytes of a message that goes out. */
export function measureBytes(message: OutboundMessage): number {
  const { pieces } = message;
  return pieces === undefined
    ? Buffer.byteLength(message.json)
    : Buffer.byteLength(pieces[0]) + pieces[1].length;
}

/** Counts the bytes of a value as JSON. */
export function measureValue(value: unknown): number {
  const json = JSON.stringify(value) as string | undefined;
  return json === undefined ? 0 : Buffer.byteLength(json);
}
