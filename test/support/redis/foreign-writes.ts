import { Redis } from 'ioredis';
import { buildRecord } from '../../unit/server/extensions/tasks/build-record.js';
import type { RedisServer } from './redis-server.js';
import { REDIS_TYPES, spoilKey } from './spoil-key.js';

/** Stands in all that is forged. */
export const FORGED = 'FORGED';

/** Records of one kind that are written over at a time. */
const MOST_OF_A_KIND = 2;

/** The records of a server as they were at a time: what `DUMP` gave of each key. */
export type Snapshot = ReadonlyMap<string, Buffer>;

/** Writes into one key of a server. */
export type ForeignWrite = (key: string) => Promise<unknown>;

/** Where a server keeps what its processes share. */
export function baseOf(prefix: string): string {
  return `${prefix}:v1:{${prefix}/mcp}`;
}

/** What somebody does who can read and write a Redis, and has no secret. */
export class ForeignWriter {
  readonly #client: Redis;

  constructor(
    private readonly redis: RedisServer,
    private readonly prefix: string,
    /** Another environment in the same Redis, whose records this one's are replaced by. */
    private readonly otherPrefix: string,
  ) {
    this.#client = new Redis(redis.url);
    this.#client.on('error', () => undefined);
  }

  close(): void {
    this.#client.disconnect();
  }

  /** Finds all keys of a server. */
  async listKeys(prefix = this.prefix): Promise<readonly string[]> {
    const keys = new Set<string>();
    let cursor = '0';
    do {
      const [next, found] = await this.#client.scan(cursor, 'COUNT', 1000);
      for (const key of found) if (key.startsWith(baseOf(prefix))) keys.add(key);
      cursor = next;
    } while (cursor !== '0');
    return [...keys].toSorted();
  }

  /** Chooses some keys of each kind, and none of these. */
  async chooseKeys(spared: ReadonlySet<string>): Promise<readonly string[]> {
    const keys = (await this.listKeys()).filter((key) => !spared.has(key));
    const counts = new Map<string, number>();
    return keys.filter((key) => {
      const count = (counts.get(kindOf(key)) ?? 0) + 1;
      counts.set(kindOf(key), count);
      return count <= MOST_OF_A_KIND;
    });
  }

  async dump(): Promise<Snapshot> {
    const dumped = await Promise.all(
      (await this.listKeys()).map(async (key) => [key, await this.#client.dumpBuffer(key)] as const),
    );
    return new Map(dumped.flatMap(([key, value]) => (value === null ? [] : [[key, value] as const])));
  }

  /** Each way of writing, by what it does to a key. */
  listWrites(earlier: Snapshot): Readonly<Record<string, ForeignWrite>> {
    const spoils = REDIS_TYPES.map((type) => [
      `made rubbish of type ${type}`,
      (key: string) => spoilKey(this.redis, key, type),
    ]);
    return {
      ...(Object.fromEntries(spoils) as Record<string, ForeignWrite>),
      'forged in plain text': (key) => this.#forge(key),
      'put back as it was earlier': (key) => this.#restore(key, earlier.get(key)),
      'replaced by another of its kind': (key) => this.#copyFrom(this.prefix, key),
      'replaced by that of another environment': (key) => this.#copyFrom(this.otherPrefix, key),
      'said again, as far as it is a log': (key) => this.#repeat(key),
      deleted: (key) => this.#client.del(key),
    };
  }

  /** Puts the records of the other environment beside those of this one. */
  async copyAll(): Promise<void> {
    for (const key of await this.listKeys(this.otherPrefix)) {
      const own = baseOf(this.prefix) + key.slice(baseOf(this.otherPrefix).length);
      await this.#client.copy(key, own);
    }
  }

  /** Writes in each place of a key what a process would write that encrypts nothing. */
  async #forge(key: string): Promise<void> {
    const texts = forgeTexts(key.split(':').at(-1) ?? '');
    const type = await this.#client.type(key);
    for (const text of texts) {
      if (type === 'string') await this.#client.set(key, text);
      else if (type === 'zset') await this.#client.zadd(key, Date.now() + 60_000, text, 0, text);
      else if (type === 'hash') await this.#forgeFields(key, text);
      else if (type === 'stream') await this.#forgeEntry(key, text);
    }
  }

  async #forgeFields(key: string, text: string): Promise<void> {
    for (const field of await this.#client.hkeys(key)) {
      // The expiry and the version of a task are numbers, without which it would only be gone.
      if (field !== 'expires' && field !== 'version') await this.#client.hset(key, field, text);
    }
    await this.#client.hset(key, FORGED, text, 'ended', '1', 'level', 'debug', 'closed', text);
  }

  async #forgeEntry(key: string, text: string): Promise<void> {
    const [entry] = await this.#client.xrevrange(key, '+', '-', 'COUNT', 1);
    const fields = entry?.[1] ?? [];
    const forged = fields.map((value, index) =>
      index % 2 === 1 && fields[index - 1] === 't' ? text : value,
    );
    await this.#add(key, forged);
  }

  async #restore(key: string, value: Buffer | undefined): Promise<void> {
    if (value !== undefined) await this.#client.restore(key, 0, value, 'REPLACE');
  }

  async #copyFrom(prefix: string, key: string): Promise<void> {
    const kind = kindOf(key.slice(baseOf(this.prefix).length));
    const others = (await this.listKeys(prefix)).filter(
      (other) => other !== key && kindOf(other.slice(baseOf(prefix).length)) === kind,
    );
    const [other] = others;
    if (other !== undefined) await this.#client.copy(other, key, 'REPLACE');
  }

  /** Adds all entries of a stream once more. */
  async #repeat(key: string): Promise<void> {
    if ((await this.#client.type(key)) !== 'stream') return;
    const entries = await this.#client.xrange(key, '-', '+');
    for (const [, fields] of entries) await this.#add(key, fields);
  }

  /** Nothing can be added behind the highest id, which rubbish may have. */
  async #add(key: string, fields: readonly string[]): Promise<void> {
    if (fields.length > 0) await this.#client.xadd(key, '*', ...fields).catch(() => undefined);
  }
}

/** A name without what tells one record of a kind from others. */
function kindOf(name: string): string {
  return name.replaceAll(/:[^:]{12,}/g, ':*');
}

function forgeTexts(id: string): readonly string[] {
  const result = { content: [{ type: 'text', text: FORGED }] };
  const params = { message: FORGED, requestedSchema: { type: 'object', properties: {} } };
  const ask = { method: 'elicitation/create', params };
  const task = buildRecord({ taskId: id, status: 'completed', result, version: 99 });
  const asking = { ...task, status: 'input_required', inputRequests: { ask } };
  const call = { version: '2026-07-28', params: { name: 'job', arguments: { name: FORGED } }, client: {} };
  const announcement = { topic: 'announcement', method: 'notifications/message', params: { data: FORGED } };
  const entry = { v: 1, e: JSON.stringify({ m: FORGED, n: 1, t: 'announcement', b: announcement }) };
  const question = { kind: 'ask', from: FORGED, topic: 'input-requests.responses', body: {}, id: 1 };
  const contents = [task, asking, { ...task, status: 'working', call }, entry, announcement, question];
  return [FORGED, '', ...contents.map((content) => JSON.stringify(content))];
}
