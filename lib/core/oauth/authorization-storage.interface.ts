/** The value of a counter in a storage. */
export interface StorageCount {
  readonly count: number;
  /** The number of seconds until the counter restarts. */
  readonly expiresInSeconds: number;
}

/**
 * Stores an authorization server's state for one or several processes. Keys and values are sealed before they are
 * passed to the storage, so that it contains no secrets. Keys start with the entry's kind and a colon.
 */
export interface AuthorizationStorage {
  /** Returns a value, or `undefined` if there is none or it has expired. */
  get(key: string): Promise<string | undefined>;
  /** Stores a value until it expires. */
  set(key: string, value: string, expiresInSeconds: number): Promise<void>;
  /** Atomically stores a value if the key has none. Returns whether it did. */
  add(key: string, value: string, expiresInSeconds: number): Promise<boolean>;
  /** Atomically removes a value. Returns it, or `undefined` if there was none. */
  take(key: string): Promise<string | undefined>;
  /**
   * Adds 1 to a counter, in one step. The counter expires the given number of seconds after its first use. Without
   * this method, each process counts callers' requests separately.
   */
  increment?(key: string, expiresInSeconds: number): Promise<StorageCount>;
}
