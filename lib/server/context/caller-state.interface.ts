/** How a value is kept. */
export interface StateSetOptions {
  /** Milliseconds for which it is kept. @default the server's `state.ttlMs` */
  readonly ttlMs?: number;
}

/** Values by keys, which outlive a call. Values are JSON: what is read is a copy of what was written. */
export interface StateValues {
  /**
   * Gives a value; nothing if there is none, or it has expired.
   *
   * @throws {StateError} `unavailable` if the engine of the cluster is out of reach
   */
  get<Value = unknown>(key: string): Promise<Value | undefined>;
  /** Tells whether there is a value. */
  has(key: string): Promise<boolean>;
  /**
   * Replaces a value: of several writers, the last counts.
   *
   * @throws {StateError} `invalid` if the value is not JSON, `too_large` if it is longer than `state.valueBytes`, or if all
   *   values together are longer than `state.maximumBytes`
   */
  set(key: string, value: unknown, options?: StateSetOptions): Promise<void>;
  /**
   * Changes a value based on its current one. No change of others gets lost, not even one of another process.
   *
   * @param change gives the new value, or `undefined` for none; it is called again if the value was changed meanwhile
   * @returns the value as it is then
   * @throws {StateError} `busy` if others change it all the time
   * @example
   * const cart = await state.update<string[]>('cart', (items = []) => [...items, id]);
   */
  update<Value = unknown>(
    key: string,
    change: (current: Value | undefined) => Value | undefined | Promise<Value | undefined>,
    options?: StateSetOptions,
  ): Promise<Value | undefined>;
  /** Deletes a value, and tells whether there was one. */
  delete(key: string): Promise<boolean>;
}

/**
 * What a server keeps for a caller, without a session. It belongs to the caller if a token names one, otherwise to the session
 * if there is one, and otherwise to a handle that the client sends back.
 *
 * @example
 * class CartTools { @Tool({ inputSchema: z.object({ cart: z.string().optional(), item: z.string() }) })
 *   async add({ cart, item }: { cart?: string; item: string }, { state }: McpContext) {
 *     const handle = cart ?? state.createHandle();
 *     const items = await state.open(handle).update<string[]>('items', (before = []) => [...before, item]);
 *     return { cart: handle, items };
 *   }
 * }
 */
export interface CallerState extends StateValues {
  /** Whether the caller is known: if not, only a handle leads to state. */
  readonly isKnown: boolean;
  /**
   * Makes a handle that nobody can guess, for the client to send back. It belongs to the caller; without a token, everybody who has the
   * handle can use it. Nothing is kept before the first value.
   */
  createHandle(): string;
  /**
   * Gives the state behind a handle.
   *
   * @throws {StateError} `unknown_handle` if the handle is of another server or another caller
   */
  open(handle: string): StateValues;
}
