import type {
  ClusterEntry,
  ClusterFieldSwap,
  ClusterPosition,
  ClusterRecord,
} from '../../server/settings/cluster/cluster.interface.js';
import { listStrings, readStrings } from '../commands/redis-commands.js';
import { formatEnd } from '../log/log-entries.js';
import { formatOwner, formatRemoval } from '../quota/quota-arguments.js';
import type { QuotaSettings } from '../settings/redis-options.js';
import { READ } from '../scripts/log.scripts.js';
import { MEMBERS, SEND } from '../scripts/member.scripts.js';
import { FIND, LEASE, RELEASE, REMOVE_SURPLUS, SWAP } from '../scripts/record.scripts.js';
import type { RedisScript } from '../scripts/redis-script.js';
import type { RedisKeys } from './redis-keys.js';

/** The maximum number of entries per read. */
const LONGEST_READING = 10_000;

/** A process's Redis operations. Each one runs a single script. */
export abstract class RedisOperations {
  constructor(
    protected readonly keys: RedisKeys,
    private readonly id: string,
    private readonly quotas: QuotaSettings,
  ) {}

  async read(after: ClusterPosition, limit: number): Promise<readonly ClusterEntry[] | undefined> {
    const { epoch, number } = after;
    if (!Number.isSafeInteger(number) || number < 0 || limit < 1) return limit < 1 ? [] : undefined;
    const { state, log } = this.keys;
    const most = Math.min(Math.floor(limit), LONGEST_READING);
    const answer = await this.run(READ, [state, log], [epoch, `${number}`, `${number + 1}`, `${most}`]);
    if (!Array.isArray(answer)) return undefined;
    const texts = answer.map(String);
    return Array.from({ length: texts.length / 2 }, (_, index) => ({
      position: { epoch, number: Number.parseInt(texts[2 * index] as string, 10) },
      text: texts[2 * index + 1] as string,
    }));
  }

  async send(text: string, member?: string): Promise<number> {
    const { state, members, all } = this.keys;
    const inbox = member === undefined ? all : this.keys.inbox(member);
    const values = member === undefined ? [text] : [text, member];
    return Number(await this.run(SEND, [state, members, inbox], values));
  }

  async find(key: string): Promise<ClusterRecord | undefined> {
    const fields = (await this.run(FIND, [this.keys.record(key)], [])) as readonly unknown[];
    if (fields.length === 0) return undefined;
    const pairs = Array.from({ length: fields.length / 2 }, (_, index) => [
      String(fields[2 * index]),
      String(fields[2 * index + 1]),
    ]);
    return Object.fromEntries(pairs) as ClusterRecord;
  }

  async swap({ key, field, from, to, expires, owner }: ClusterFieldSwap): Promise<string | undefined> {
    const optional = (text: string | undefined) => (text === undefined ? ['0'] : ['1', text]);
    const counted = formatOwner(key, owner, { keys: this.keys, quotas: this.quotas });
    const values = [field, ...formatEnd(expires), ...optional(from), ...optional(to), ...counted.values];
    const given = [this.keys.record(key), ...counted.keys] as const;
    const [current, ...surplus] = readStrings(await this.run(SWAP, given, values));
    const removal = formatRemoval(listStrings(surplus), given, this.keys);
    // Records that are not removed are evicted by the next write.
    if (removal !== undefined) this.run(REMOVE_SURPLUS, removal.keys, removal.values).catch(() => undefined);
    return current;
  }

  async lease(name: string, holdMs: number): Promise<boolean> {
    const values = [this.id, `${Math.max(Math.ceil(holdMs), 1)}`];
    return Number(await this.run(LEASE, [this.keys.lease(name)], values)) === 1;
  }

  async release(name: string): Promise<void> {
    await this.run(RELEASE, [this.keys.lease(name)], [this.id]);
  }

  async members(): Promise<readonly string[]> {
    return ((await this.run(MEMBERS, [this.keys.members], [])) as readonly unknown[]).map(String);
  }

  protected abstract run(
    script: RedisScript,
    keys: readonly [string, ...string[]],
    values: readonly string[],
  ): Promise<unknown>;
}
