import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { disguiseTask } from '../../tasks/task-answer.js';
import type { ServerNotification } from './server-notification.interface.js';

/**
 * Looks at what a server sends before the official client does: notifications of every kind are passed on, and tasks
 * get past it.
 */
export function tapMessages(transport: Transport, onNotification: (told: ServerNotification) => void): void {
  const receive = transport.onmessage;
  transport.onmessage = (message, extra) => {
    receive?.(disguiseTask(message), extra);
    if (isNotification(message)) onNotification({ method: message.method, params: message.params ?? {} });
  };
}

type Told = JSONRPCMessage & { method: string; params?: { [name: string]: unknown } };

function isNotification(message: JSONRPCMessage): message is Told {
  return 'method' in message && !('id' in message);
}
