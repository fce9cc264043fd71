import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { disguiseTask } from '../../tasks/task-answer.js';
import type { ServerNotification } from './server-notification.interface.js';

/** What is noticed in the messages of a server. */
export interface MessageListeners {
  readonly onNotification: (told: ServerNotification) => void;
  /** Is called with the id of a request that is answered with a task, before its caller learns of it. */
  readonly onTask: (callId: number) => void;
}

/**
 * Looks at what a server sends before the official client does: notifications of every kind are passed on, and tasks
 * get past it.
 */
export function tapMessages(transport: Transport, { onNotification, onTask }: MessageListeners): void {
  const receive = transport.onmessage;
  transport.onmessage = (message, extra) => {
    const answer = disguiseTask(message);
    if (answer !== message && 'id' in answer) onTask(Number(answer.id));
    receive?.(answer, extra);
    if (isNotification(message)) onNotification({ method: message.method, params: message.params ?? {} });
  };
}

type Told = JSONRPCMessage & { method: string; params?: { [name: string]: unknown } };

function isNotification(message: JSONRPCMessage): message is Told {
  return 'method' in message && !('id' in message);
}
