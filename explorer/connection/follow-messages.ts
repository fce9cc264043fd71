import type { Transport } from '@modelcontextprotocol/client';
import { disguiseTask } from '../../lib/client/tasks/task-answer.js';
import type { Journal } from './journal.js';

/**
 * Notes all messages of a transport. The official client knows no tasks: an answer that is one gets past it, to whoever
 * has called.
 */
export function followMessages(transport: Transport, journal: Journal): void {
  const send = transport.send.bind(transport);
  let receive: Transport['onmessage'];
  journal.begin();
  transport.send = (message, options) => {
    journal.note('sent', message);
    return send(message, options);
  };
  Object.defineProperty(transport, 'onmessage', {
    get: (): Transport['onmessage'] =>
      receive &&
      ((message, extra) => {
        journal.note('received', message);
        receive?.(disguiseTask(message), extra);
      }),
    set: (given: Transport['onmessage']) => {
      receive = given;
    },
  });
}
