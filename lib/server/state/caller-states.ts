import type { OnApplicationShutdown } from '@nestjs/common';
import { findUnserializableProperty } from '../../core/checks/find-unserializable-property.js';
import { OwnMetaKey } from '../../core/protocol/meta-keys.js';
import type { Sealer } from '../../core/sealing/sealer.js';
import type { CallerState, StateSetOptions, StateValues } from '../context/caller-state.interface.js';
import type { StateContext, StateSource } from '../context/request-parts.interface.js';
import { StateError } from '../context/tool-errors.js';
import type { MemoryBudget } from '../memory/memory-budget.js';
import type { ClusterBus } from '../cluster/cluster-bus.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { StateOptions } from '../settings/state-options.js';
import { MemoryStateStore } from './memory-state-store.js';
import { SharedStateStore } from './shared-state-store.js';
import {
  buildHandleNamespace,
  findCallerNamespace,
  StateHandles,
  type StateNamespace,
} from './state-namespace.js';
import { StateQuotas } from './state-quotas.js';
import type { StoredValue, StateStore } from './state-store.js';

/** The parts of callers' states. */
interface StateParts {
  readonly store: StateStore;
  readonly handles: StateHandles;
  readonly limits: Required<StateOptions>;
  /** Identifies this process in the cluster. */
  readonly member: string;
}

/** Opens a request's state: the namespace of the handle in its `_meta`, or else of its caller. */
export class CallerStates implements StateSource, OnApplicationShutdown {
  readonly #quotas: StateQuotas;
  readonly #parts: StateParts;

  constructor(
    bus: ClusterBus,
    sealer: Sealer,
    memory: MemoryBudget,

    { state: limits, mcpPath, keyring }: Pick<ServerSettings, 'state' | 'mcpPath' | 'keyring'>,
  ) {
    const { maxBytes } = limits;
    this.#quotas = new StateQuotas({
      memory,
      limits,
      isLocal: !bus.isShared,
      now: () => store.now,
      onEvict: (namespace) => void store.remove(namespace),
    });
    const store: StateStore = bus.isShared
      ? new SharedStateStore(bus, this.#quotas, maxBytes, keyring)
      : new MemoryStateStore(this.#quotas, maxBytes);
    this.#parts = { store, limits, handles: new StateHandles(sealer, mcpPath), member: bus.member };
  }

  open(context: StateContext): CallerState {
    return new RequestState(this.#parts, context);
  }

  onApplicationShutdown(): void {
    this.#quotas.close();
  }
}

const LONGEST_KEY = 256;

/** Ten years. */
const LONGEST_TTL_MS = 315_360_000_000;

/** The maximum number of attempts to update a value that other requests change concurrently. */
const MOST_UPDATES = 100;

/** The values of one namespace, as handlers read and write them. */
export class NamespaceValues implements StateValues {
  constructor(
    private readonly store: StateStore,
    private readonly limits: Pick<Required<StateOptions>, 'ttlMs' | 'valueBytes'>,
    private readonly getNamespace: () => StateNamespace,
  ) {}

  async get<Value>(key: string): Promise<Value | undefined> {
    return parse(await this.#read(key)) as Value | undefined;
  }

  async has(key: string): Promise<boolean> {
    return (await this.#read(key)) !== undefined;
  }

  async set(key: string, value: unknown, options?: StateSetOptions): Promise<void> {
    assertKey(key);
    await this.store.change(this.getNamespace(), { key, to: this.#build(value, options) });
  }

  async update<Value>(
    key: string,
    change: (current: Value | undefined) => Value | undefined | Promise<Value | undefined>,
    options?: StateSetOptions,
  ): Promise<Value | undefined> {
    const namespace = this.getNamespace();
    for (let attempt = 0; attempt < MOST_UPDATES; attempt += 1) {
      const present = await this.#read(key);
      const value = await change(parse(present) as Value | undefined);
      const to = value === undefined ? undefined : this.#build(value, options);
      const { isApplied } = await this.store.change(namespace, { key, from: { json: present?.json }, to });
      if (isApplied) return value;
    }
    throw StateError.busy();
  }

  async delete(key: string): Promise<boolean> {
    assertKey(key);
    return (await this.store.change(this.getNamespace(), { key })).existed;
  }

  async #read(key: string): Promise<StoredValue | undefined> {
    assertKey(key);
    return (await this.store.read(this.getNamespace())).get(key);
  }

  #build(value: unknown, { ttlMs = this.limits.ttlMs }: StateSetOptions = {}): StoredValue {
    if (!(ttlMs > 0 && ttlMs <= LONGEST_TTL_MS)) {
      throw StateError.invalid(
        '"ttlMs"',
        'must be a number of milliseconds greater than 0, and at most ten years',
      );
    }
    const json = format(value);
    const bytes = Buffer.byteLength(json);
    const { valueBytes } = this.limits;
    if (bytes > valueBytes) throw StateError.tooLarge('state.valueBytes', bytes, valueBytes);
    return { json, expiresAt: Math.ceil(this.store.now + ttlMs) };
  }
}

function parse(value: StoredValue | undefined): unknown {
  return value && JSON.parse(value.json);
}

function assertKey(key: unknown): void {
  if (typeof key === 'string' && key.length > 0 && key.length <= LONGEST_KEY) return;
  throw StateError.invalid('key', `must be a string of 1 to ${LONGEST_KEY} characters`);
}

function format(value: unknown): string {
  const text = stringify(value);
  if (text !== undefined) return text;
  throw StateError.invalid(
    'value',
    'must be JSON, but it is "undefined": store a plain value, or delete the key',
  );
}

function stringify(value: unknown): string | undefined {
  try {
    const found = findUnserializableProperty(value);
    if (found !== undefined) throw refuse(found.path, `${found.kind}: store ${found.fix}`);
    return JSON.stringify(value, assertRepresentable);
  } catch (cause) {
    // Deeply nested values overflow the stack.
    throw cause instanceof StateError
      ? cause
      : StateError.invalid('value', 'must be serializable as JSON', cause);
  }
}

/** Rejects values that JSON would omit or turn into `null`. */
function assertRepresentable(name: string, member: unknown): unknown {
  if (typeof member === 'number' && !Number.isFinite(member)) throw refuse(name, String(member));
  if (typeof member === 'function' || typeof member === 'symbol') throw refuse(name, `a ${typeof member}`);
  return member;
}

function refuse(path: string, what: string): StateError {
  return StateError.invalid('value', `must be JSON, but ${path === '' ? 'it' : `"${path}"`} is ${what}`);
}

/** The state of one request's caller. */
class RequestState extends NamespaceValues implements CallerState {
  readonly #parts: StateParts;
  readonly #context: StateContext;

  constructor(parts: StateParts, context: StateContext) {
    super(parts.store, parts.limits, () => this.#getNamespace());
    this.#parts = parts;
    this.#context = context;
  }

  get isKnown(): boolean {
    return this.#findNamespace() !== undefined;
  }

  createHandle(): string {
    return this.#parts.handles.create(this.#context.identity);
  }

  open(handle: string): StateValues {
    const namespace = this.#findNamespaceOf(handle);
    if (namespace === undefined) throw StateError.unknownHandle();
    const { store, limits } = this.#parts;
    return new NamespaceValues(store, limits, () => namespace);
  }

  #getNamespace(): StateNamespace {
    const namespace = this.#findNamespace();
    if (namespace !== undefined) return namespace;
    throw this.#sentHandle === undefined ? StateError.unknownCaller() : StateError.unknownHandle();
  }

  #findNamespace(): StateNamespace | undefined {
    const sent = this.#sentHandle;
    if (sent !== undefined) return this.#findNamespaceOf(sent);
    return findCallerNamespace(this.#context, this.#parts.member);
  }

  #findNamespaceOf(handle: unknown): StateNamespace | undefined {
    const id = this.#parts.handles.verify(handle, this.#context.identity);
    return id === undefined ? undefined : buildHandleNamespace(id, this.#context);
  }

  /** The handle in the request, if any. */
  get #sentHandle(): unknown {
    return this.#context.meta[OwnMetaKey.state];
  }
}
