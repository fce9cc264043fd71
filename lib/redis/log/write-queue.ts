import type {
  ClusterPosition,
  ClusterRecordChange,
} from '../../server/settings/cluster/cluster.interface.js';
import { listStrings, type RedisCommands } from '../commands/redis-commands.js';
import { RedisError } from '../commands/redis.error.js';
import type { RedisKeys } from '../member/redis-keys.js';
import { REMOVE_SURPLUS } from '../scripts/record.scripts.js';
import { WRITE } from '../scripts/log.scripts.js';
import { formatOwner, formatRemoval } from '../quota/quota-arguments.js';
import type { QuotaSettings } from '../settings/redis-options.js';
import { formatChange } from './log-entries.js';

/** The maximum number of writes per command, because a command blocks Redis. */
const MOST_AT_ONCE = 100;
const MOST_CHARACTERS_AT_ONCE = 256 * 1024;

/** The maximum number of queued writes. Further ones are rejected. */
const MOST_WAITING = 20_000;
const MOST_CHARACTERS_WAITING = 32 * 1024 * 1024;

interface Write {
  readonly text: string | undefined;
  readonly change: ClusterRecordChange | undefined;
  readonly characters: number;
  readonly resolve: (position: ClusterPosition) => void;
  readonly reject: (error: unknown) => void;
}

/** Writes in request order. Requests that arrive during a write are sent together in the next one. */
export class WriteQueue {
  #waiting: Write[] = [];
  #characters = 0;
  #isWriting = false;

  constructor(
    private readonly commands: RedisCommands,
    private readonly keys: RedisKeys,
    private readonly limits: QuotaSettings & {
      readonly maxEntries: number;
      readonly maxBytes: number;
    },
  ) {}

  write(text: string | undefined, change: ClusterRecordChange | undefined): Promise<ClusterPosition> {
    const characters = (text ?? '').length;
    if (this.#waiting.length >= MOST_WAITING || this.#characters > MOST_CHARACTERS_WAITING) {
      return Promise.reject(new RedisError('busy', 'Too many writes are waiting for Redis'));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, change, characters, resolve, reject });
      this.#characters += characters;
      if (!this.#isWriting) void this.#run();
    });
  }

  /** Batches requests from the same turn of the event loop. */
  async #run(): Promise<void> {
    this.#isWriting = true;
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#takeBatch();
      try {
        const positions = await this.#send(batch);
        batch.forEach(({ resolve }, index) => resolve(positions[index] as ClusterPosition));
      } catch (error) {
        for (const { reject } of batch) reject(error);
        if (!(error instanceof RedisError) || error.code !== 'refused') this.#rejectAll(error);
      }
    }
    this.#isWriting = false;
  }

  #takeBatch(): readonly Write[] {
    let [count, characters] = [0, 0];
    for (const write of this.#waiting) {
      if (count === MOST_AT_ONCE || (count > 0 && characters > MOST_CHARACTERS_AT_ONCE)) break;
      count += 1;
      characters += write.characters;
    }
    this.#characters -= characters;
    return this.#waiting.splice(0, count);
  }

  /** Rejects the writes queued behind one without a response, because they would fail too. */
  #rejectAll(error: unknown): void {
    for (const { reject } of this.#waiting) reject(error);
    this.#waiting = [];
    this.#characters = 0;
  }

  async #send(batch: readonly Write[]): Promise<readonly ClusterPosition[]> {
    const { keys, limits } = this;
    const records: string[] = [];
    const steps = batch.flatMap(({ text, change }) => {
      const entry = text === undefined ? ['0'] : ['1', text];
      if (change === undefined) return [...entry, '0'];
      const counted = formatOwner(change.key, change.owner, { keys, quotas: limits });
      records.push(keys.record(change.key), ...counted.keys);
      return [...entry, '1', ...formatChange(change), ...counted.values];
    });
    const given = [keys.state, keys.log, ...records] as const;
    const values = [`${limits.maxEntries}`, `${limits.maxBytes}`, `${batch.length}`, ...steps];
    const [epoch = '', ...facts] = listStrings(await this.commands.run(WRITE, given, values));
    void this.#evict(facts.slice(batch.length), given);
    return facts.slice(0, batch.length).map((number) => ({ epoch, number: Number(number) }));
  }

  /** Never rejects. Records that are not removed are evicted by the next write. */
  async #evict(surplus: readonly string[], given: readonly string[]): Promise<void> {
    const removal = formatRemoval(surplus, given, this.keys);
    if (removal === undefined) return;
    await this.commands.run(REMOVE_SURPLUS, removal.keys, removal.values).catch(() => undefined);
  }
}
