import { findUnserializableMember } from '../../core/checks/find-unserializable-member.js';
import type { StateSetOptions, StateValues } from '../context/caller-state.interface.js';
import { StateError } from '../context/state.error.js';
import type { StateOptions } from '../settings/state-options.js';
import type { KeptValue } from './kept-values.js';
import type { StatePlace } from './state-place.js';
import type { StateStore } from './state-store.interface.js';

const LONGEST_KEY = 256;

/** Ten years. */
const LONGEST_TTL_MS = 315_360_000_000;

/** How often a value is changed that others change. */
const MOST_UPDATES = 100;

/** The values of one place, as handlers read and write them. */
export class PlaceValues implements StateValues {
  constructor(
    private readonly store: StateStore,
    private readonly bounds: Pick<Required<StateOptions>, 'ttlMs' | 'valueBytes'>,
    private readonly getPlace: () => StatePlace,
  ) {}

  async get<Value>(key: string): Promise<Value | undefined> {
    return parse(await this.#read(key)) as Value | undefined;
  }

  async has(key: string): Promise<boolean> {
    return (await this.#read(key)) !== undefined;
  }

  async set(key: string, value: unknown, options?: StateSetOptions): Promise<void> {
    assertKey(key);
    await this.store.change(this.getPlace(), { key, to: this.#build(value, options) });
  }

  async update<Value>(
    key: string,
    change: (current: Value | undefined) => Value | undefined | Promise<Value | undefined>,
    options?: StateSetOptions,
  ): Promise<Value | undefined> {
    const place = this.getPlace();
    for (let attempt = 0; attempt < MOST_UPDATES; attempt += 1) {
      const present = await this.#read(key);
      const value = await change(parse(present) as Value | undefined);
      const to = value === undefined ? undefined : this.#build(value, options);
      const { isDone } = await this.store.change(place, { key, from: { json: present?.json }, to });
      if (isDone) return value;
    }
    throw StateError.busy();
  }

  async delete(key: string): Promise<boolean> {
    assertKey(key);
    return (await this.store.change(this.getPlace(), { key })).wasThere;
  }

  async #read(key: string): Promise<KeptValue | undefined> {
    assertKey(key);
    return (await this.store.read(this.getPlace())).get(key);
  }

  #build(value: unknown, { ttlMs = this.bounds.ttlMs }: StateSetOptions = {}): KeptValue {
    if (!(ttlMs > 0 && ttlMs <= LONGEST_TTL_MS)) {
      throw StateError.invalid(
        '"ttlMs"',
        'must be a number of milliseconds above 0, and of ten years at most',
      );
    }
    const json = format(value);
    const bytes = Buffer.byteLength(json);
    const { valueBytes } = this.bounds;
    if (bytes > valueBytes) throw StateError.tooLarge('state.valueBytes', bytes, valueBytes);
    return { json, ends: Math.ceil(this.store.now + ttlMs) };
  }
}

function parse(value: KeptValue | undefined): unknown {
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
    'must be JSON, and it is "undefined": keep a plain value, or delete the key',
  );
}

function stringify(value: unknown): string | undefined {
  try {
    const found = findUnserializableMember(value);
    if (found !== undefined) throw refuse(found.path, `${found.kind}: keep ${found.remedy}`);
    return JSON.stringify(value, assertRepresentable);
  } catch (cause) {
    // What is nested too deeply ends the stack.
    throw cause instanceof StateError
      ? cause
      : StateError.invalid('value', 'must be JSON, which refuses it', cause);
  }
}

/** JSON would leave it out, or make it `null`. */
function assertRepresentable(name: string, member: unknown): unknown {
  if (typeof member === 'number' && !Number.isFinite(member)) throw refuse(name, String(member));
  if (typeof member === 'function' || typeof member === 'symbol') throw refuse(name, `a ${typeof member}`);
  return member;
}

function refuse(path: string, what: string): StateError {
  return StateError.invalid('value', `must be JSON, and ${path === '' ? 'it' : `"${path}"`} is ${what}`);
}
