import type { OutboundMessage } from '../../../core/protocol/outbound-message.js';
import type { WriteMessage } from './pipe-reply.js';

/** Writes what nobody waits for who could be told that it failed: whoever cannot be written to is gone. */
export function guardWrite(write: WriteMessage, onFailure: (error: unknown) => void): WriteMessage {
  return (message: OutboundMessage) => {
    try {
      write(message);
    } catch (error) {
      onFailure(error);
    }
  };
}
