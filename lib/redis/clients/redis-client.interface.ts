/** The members of a client of `ioredis` that the package uses, for one Redis, Sentinel or Redis Cluster. */
export interface IoredisClient {
  readonly status: string;
  call(command: string, ...values: string[]): Promise<unknown>;
  duplicate(...overrides: never[]): unknown;
  disconnect(): void;
  on(event: string, listener: (...values: unknown[]) => void): unknown;
  off(event: string, listener: (...values: unknown[]) => void): unknown;
}

/** The members of a client of `redis` that the package uses, for one Redis, Sentinel or Redis Cluster. */
export interface NodeRedisClient {
  readonly isOpen: boolean;
  /** A client of Redis Cluster lacks it in release 5. */
  readonly isReady?: boolean;
  sendCommand(...values: never[]): Promise<unknown>;
  duplicate(...overrides: never[]): unknown;
  connect(): Promise<unknown>;
  destroy(): unknown;
  on(event: string, listener: (...values: unknown[]) => void): unknown;
  off(event: string, listener: (...values: unknown[]) => void): unknown;
}

/**
 * A client that the application makes, connects and closes: one of `ioredis` 5 or later, or of `redis` 5 or later.
 *
 * @example
 * import { Redis } from 'ioredis';
 * const client = new Redis(process.env.REDIS_URL);
 * @example
 * import { createClient } from 'redis';
 * const client = await createClient({ url: process.env.REDIS_URL }).connect();
 */
export type RedisClient = IoredisClient | NodeRedisClient;
