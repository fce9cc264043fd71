/** Options of a stored value. */
export interface StateSetOptions {
  /** How long the value is stored, in milliseconds. @default the server's `state.ttlMs` */
  readonly ttlMs?: number;
}

/** A key-value store that outlives a call. Values are JSON. Reading a value returns a copy. */
export interface StateValues {
  /**
   * Returns a value, or `undefined` if there is none or it has expired.
   *
   * @throws {StateError} `unavailable` if the cluster backend is unavailable
   */
  get<Value = unknown>(key: string): Promise<Value | undefined>;
  /** Returns whether there is a value. */
  has(key: string): Promise<boolean>;
  /**
   * Replaces a value. If several calls write, the last one wins.
   *
   * @throws {StateError} `invalid` if the value is not JSON, `too_large` if it is longer than `state.valueBytes`, or if all
   *   values together are longer than `state.maxBytes`
   */
  set(key: string, value: unknown, options?: StateSetOptions): Promise<void>;
  /**
   * Updates a value based on the current one. No concurrent change is lost, even from another process.
   *
   * @param change returns the new value, or `undefined` to delete it. It is called again if the value has changed in
   * the meantime
   * @returns the new value
   * @throws {StateError} `busy` if too many concurrent changes compete
   * @example
   * const cart = await state.update<string[]>('cart', (items = []) => [...items, id]);
   */
  update<Value = unknown>(
    key: string,
    change: (current: Value | undefined) => Value | undefined | Promise<Value | undefined>,
    options?: StateSetOptions,
  ): Promise<Value | undefined>;
  /** Deletes a value, and returns whether there was one. */
  delete(key: string): Promise<boolean>;
}

/**
 * The state that a server stores for a caller. It belongs to the caller if a token identifies one, otherwise to the
 * session if there is one, and otherwise to a handle that the client sends back.
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
  /** Whether the caller is known. For an unknown caller, state requires a handle. */
  readonly isKnown: boolean;
  /**
   * Creates an unguessable handle, for the client to send back. It belongs to the caller. Without a token, anyone who
   * has the handle can use it. Nothing is stored until the first value is set.
   */
  createHandle(): string;
  /**
   * Returns a handle's state.
   *
   * @throws {StateError} `unknown_handle` if the handle belongs to another server or another caller
   */
  open(handle: string): StateValues;
}
