import type { OutboundMessage } from '../../../core/protocol/outbound-message.js';
import type { WriteMessage } from './pipe-reply.js';

/** Writes without waiting for the result. If a write fails, the client is gone. */
export function guardWrite(write: WriteMessage, onFailure: (error: unknown) => void): WriteMessage {
  return (message: OutboundMessage) => {
    try {
      write(message);
    } catch (error) {
      onFailure(error);
    }
  };
}
