import { redisCluster, redisTaskStore } from 'nestjs-mcp/redis';
import type { McpOptions, TaskRecord } from 'nestjs-mcp';
import { bootTaskDesk, type TaskDesk } from '../applications/task-desk.js';
import { coreClient, publishedClient, type PublishedClient } from '../clients/task-wires.js';
import { REDIS_CLIENTS, type MadeClient } from './redis-clients.js';
import { RedisServer } from './redis-server.js';

export const SECRET = 'a secret that two processes share, and nobody else has';
const TOKENS = ['the-token-of-alice-0123456789', 'the-token-of-bob-01234567890'] as const;
const BEARER = TOKENS.map((token, index) => ({ token, subject: ['alice', 'bob'][index] as string }));

/** The first caller, or the second. */
type Who = 0 | 1;

export class Attacker {
  constructor(
    private readonly redis: RedisServer,
    readonly base: string,
  ) {}

  taskKey(taskId: unknown): string {
    return `${this.base}:task:${String(taskId)}`;
  }

  /** Reads the text and the version of a task. */
  async read(taskId: unknown): Promise<readonly string[]> {
    return (await this.redis.send('HMGET', this.taskKey(taskId), 'task', 'version')) as string[];
  }

  async write(taskId: unknown, text: string, version: number | string = 1): Promise<void> {
    const expires = Date.now() + 3_600_000;
    await this.redis.send('HSET', this.taskKey(taskId), 'task', text, 'version', version, 'expires', expires);
  }

  /** Writes a task as a process without a secret writes it. */
  async forge(record: TaskRecord): Promise<void> {
    await this.write(record.taskId, JSON.stringify(record), record.version);
  }
}

/** Processes whose tasks are in a Redis that somebody else writes to as well. */
export class AttackedTasks {
  /** Of the keys of the current test. */
  prefix = '';
  readonly #desks: TaskDesk[] = [];
  readonly #clients: MadeClient[] = [];
  #tests = 0;

  private constructor(readonly redis: RedisServer) {}

  static async start(): Promise<AttackedTasks> {
    return new AttackedTasks(await RedisServer.start());
  }

  /** Begins a test. */
  begin(): void {
    this.#tests += 1;
    this.prefix = `attacked-${this.#tests}`;
  }

  /** Ends a test. */
  async end(): Promise<void> {
    await Promise.all(this.#desks.splice(0).map((desk) => desk.close()));
    for (const { close } of this.#clients.splice(0)) close();
  }

  async connect(): Promise<MadeClient> {
    const made = await (REDIS_CLIENTS['ioredis 6'] as (url: string) => Promise<MadeClient>)(this.redis.url);
    this.#clients.push(made);
    return made;
  }

  async boot(options: Partial<McpOptions> = {}, prefix = this.prefix): Promise<TaskDesk> {
    const { client } = await this.connect();
    const cluster = redisCluster({ client, prefix });
    const desk = await bootTaskDesk({ secret: SECRET, cluster, auth: { bearer: BEARER }, ...options });
    this.#desks.push(desk);
    return desk;
  }

  attack(prefix = this.prefix): Attacker {
    return new Attacker(this.redis, `${prefix}:v1:{${prefix}/mcp}`);
  }

  /** Finds what the server calls the owner of a task. */
  async findOwner(taskId: unknown): Promise<string> {
    const { client } = await this.connect();
    const store = redisTaskStore({ client, prefix: this.prefix, secret: SECRET });
    return (await store.find(String(taskId)))?.owner ?? '';
  }
}

/** Makes a client of a caller. */
export function clientOf({ url }: TaskDesk, who: Who = 0): PublishedClient {
  return publishedClient(url, { headers: { authorization: `Bearer ${TOKENS[who]}` } });
}

/** Lists the ids of a caller's tasks. */
export async function listIds({ url }: TaskDesk, who: Who = 0): Promise<readonly unknown[]> {
  const client = await coreClient(url, { headers: { authorization: `Bearer ${TOKENS[who]}` } });
  const { result = {} } = await client.send('tasks/list');
  return (result['tasks'] as readonly { taskId: unknown }[]).map(({ taskId }) => taskId);
}
