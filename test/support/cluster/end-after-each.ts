import { afterEach } from '@jest/globals';

/** What a test has started. */
type Running = { stop(): unknown } | { close(): unknown };

/** Waits until something has started, which ends after the test. */
export type Begin = <T extends Running>(starting: Promise<T>) => Promise<T>;

const LONG_MS = 60_000;

/**
 * Gives what is told of all that a test starts, so that it ends after the test: the last first.
 *
 * @example
 * const begin = endAfterEach();
 * it('serves', async () => {
 *   const cluster = await begin(ProcessCluster.start());
 * });
 */
export function endAfterEach(): Begin {
  const running: Running[] = [];
  afterEach(async () => {
    const failures: unknown[] = [];
    for (const one of running.splice(0).toReversed()) {
      await end(one).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, 'Not all of it has ended');
  }, LONG_MS);
  return async (starting) => {
    const started = await starting;
    running.push(started);
    return started;
  };
}

async function end(running: Running): Promise<void> {
  await ('stop' in running ? running.stop() : running.close());
}
