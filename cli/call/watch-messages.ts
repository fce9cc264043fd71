import type { Client, JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { disguiseTask } from '../../lib/client/tasks/task-answer.js';
import type { CallProgress } from './progress-bar.js';

/**
 * Looks at what a server sends before the official client does. Shows progress exactly as the server sent it, without the
 * client's own reports. It also receives messages about tasks.
 */
export function watchMessages(client: Client, onProgress: (progress: CallProgress) => void): void {
  const { transport } = client;
  const receive = transport?.onmessage;
  if (transport === undefined || receive === undefined) return;
  transport.onmessage = (message, extra) => {
    const progress = findProgress(message);
    if (progress !== undefined) onProgress(progress);
    receive(disguiseTask(message), extra);
  };
}

/** One call is on its way, so that all progress is its own. */
function findProgress(message: JSONRPCMessage): CallProgress | undefined {
  if (!('method' in message) || message.method !== 'notifications/progress') return undefined;
  const { params } = message;
  if (!isObject(params) || typeof params['progress'] !== 'number') return undefined;
  const { progress, total, message: text } = params;
  return {
    progress,
    total: typeof total === 'number' ? total : undefined,
    message: typeof text === 'string' ? text : undefined,
  };
}
