import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/**
 * Waits for a child process's next message.
 *
 * @throws Error if the process ends before
 */
export async function receive<Message>(child: ChildProcess): Promise<Message> {
  const abort = new AbortController();
  const { signal } = abort;
  const message = once(child, 'message', { signal }).then(([received]) => received as Message);
  const exit = once(child, 'exit', { signal }).then(([code]): never => {
    throw new Error(`The process ended with ${code}`);
  });
  exit.catch(() => undefined);
  message.catch(() => undefined);
  try {
    return await Promise.race([message, exit]);
  } finally {
    abort.abort();
  }
}
