import type { AuthorizationStorage } from 'nestjs-mcp/authorization-server';

/**
 * A storage whose entries can be read and changed, as by someone with access to the database. Each step takes a turn, and
 * entries expire.
 */
export class OpenStorage implements AuthorizationStorage {
  readonly entries = new Map<string, string>();
  readonly #ends = new Map<string, number>();
  /** What a broken database throws. */
  failure: Error | undefined;

  async get(key: string): Promise<string | undefined> {
    await this.#wait();
    this.#expire(key);
    return this.entries.get(key);
  }

  async set(key: string, value: string, expiresInSeconds: number): Promise<void> {
    await this.#wait();
    this.#put(key, value, expiresInSeconds);
  }

  async add(key: string, value: string, expiresInSeconds: number): Promise<boolean> {
    await this.#wait();
    this.#expire(key);
    if (this.entries.has(key)) return false;
    this.#put(key, value, expiresInSeconds);
    return true;
  }

  async take(key: string): Promise<string | undefined> {
    await this.#wait();
    this.#expire(key);
    const value = this.entries.get(key);
    this.entries.delete(key);
    return value;
  }

  /** Gives the keys of one kind. */
  list(kind: string): readonly string[] {
    return [...this.entries.keys()].filter((key) => key.startsWith(`${kind}:`));
  }

  #put(key: string, value: string, expiresInSeconds: number): void {
    this.entries.set(key, value);
    this.#ends.set(key, performance.now() + expiresInSeconds * 1000);
  }

  #expire(key: string): void {
    if ((this.#ends.get(key) ?? Number.POSITIVE_INFINITY) < performance.now()) this.entries.delete(key);
  }

  async #wait(): Promise<void> {
    await new Promise<void>((resolve) => void setImmediate(resolve));
    if (this.failure !== undefined) throw this.failure;
  }
}
