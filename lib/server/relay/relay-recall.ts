import type { ClusterPosition } from '../settings/cluster/cluster.interface.js';
import { RelayError } from './relay.error.js';
import type { RelayHistory } from './relay-history.js';
import type { ReadEntry, RelayLog } from './relay-log.js';
import type { Recalled } from './relay.js';
import { Topic } from './topic.js';

/** Tells every process that something was lost on its way to the log. */
export const LOSS = new Topic<{ readonly dropped: number }>('relay.loss');

/** Gives again what was published on one topic. What is not whole is not given: something was lost, or is no longer in the log. */
export class RelayRecall {
  constructor(
    private readonly log: Pick<RelayLog, 'after'>,
    private readonly history: Pick<RelayHistory, 'read'>,
  ) {}

  async all<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
  ): Promise<readonly Recalled<Body>[] | undefined> {
    const recalled: Recalled<Body>[] = [];
    try {
      for await (const part of this.inParts(topic, after)) recalled.push(...part);
      return recalled;
    } catch (error) {
      if (error instanceof RelayError && error.reason === 'gone') return undefined;
      throw error;
    }
  }

  kept<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
  ): readonly Recalled<Body>[] | undefined {
    const kept = this.log.after(after);
    return kept === undefined || kept.some(isLoss) ? undefined : select(topic, kept);
  }

  async *inParts<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
    reader?: string,
  ): AsyncGenerator<readonly Recalled<Body>[]> {
    for await (const entries of this.history.read(after, reader)) {
      if (entries.some(isLoss)) throw new RelayError('gone', 'What was published then never reached the log');
      yield select(topic, entries);
    }
  }
}

function isLoss({ topic }: ReadEntry): boolean {
  return topic === LOSS.name;
}

function select<Body extends object>(
  { name, isBody }: Topic<Body>,
  entries: readonly ReadEntry[],
): readonly Recalled<Body>[] {
  return entries.flatMap(({ topic, body, position, member, count }) =>
    topic === name && isBody(body) ? [{ body: body as Body, position, name: { member, count } }] : [],
  );
}
