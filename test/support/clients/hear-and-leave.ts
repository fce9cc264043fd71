import { announce } from '../applications/watched-desk.js';
import type { RunningApp } from '../applications/boot.js';
import { until } from '../until.js';
import type { SessionClient } from './json-rpc.js';
import { countOf, untilNumber } from './numbered.js';

/**
 * Has a client of a watched desk hear a number that a process tells, and leave; gives the id that it comes back with.
 *
 * @param process tells the number, and an update to whoever subscribed to that
 */
export async function hearAndLeave(
  session: SessionClient,
  { process, number = 1, updates = 0 }: { process: RunningApp; number?: number; updates?: number },
): Promise<string | undefined> {
  const stream = await session.openStream();
  announce(process, number);
  await untilNumber(stream, number);
  await until(() => countOf(stream, 'notifications/resources/updated') === updates, 'the updates');
  await stream.close();
  return stream.lastEventId;
}
