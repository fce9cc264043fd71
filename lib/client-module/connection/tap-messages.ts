import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { disguiseTask } from '../../client-tasks/task-answer.js';
import { BROKEN_OFF } from './is-transient.js';
import type { ServerNotification } from './server-notification.interface.js';

/** Fails a call, which would wait for the rest of its answer until its time is up. */
export function failCall(transport: Transport, id: number): void {
  const error = { code: -32_000, message: BROKEN_OFF };
  transport.onmessage?.({ jsonrpc: '2.0', id, error });
}

/**
 * Looks at what a server sends before the official client does: notifications are passed on whatever they are, and tasks
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
