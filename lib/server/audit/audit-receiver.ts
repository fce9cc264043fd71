import { estimateText } from '../../core/protocol/measured-json.js';
import { isPromiseLike } from '../../core/async/promises.js';
import { findAnonymousAddress } from '../context/caller-identity.js';
import { HeapCost } from '../memory/memory-limits.js';
import { nameAccount } from '../memory/memory-account.js';
import type { AuditedFacts } from './audit-event.js';
import type { ThrottledLog } from './throttled-log.js';

/** The parts of the trail that receivers use. */
export interface ReceiverContext {
  /** The limits on a receiver's pending events. */
  readonly limits: PendingLimits;
  readonly log: ThrottledLog;
  readonly findDelivery: FindDelivery;
  /** Called with unfinished work. */
  readonly watch: (work: Promise<void>) => void;
  /** Called when a receiver misses an event. */
  readonly onDropped: () => void;
  /** Registers a receiver. Returns a function that removes it. */
  readonly onReceiver: (receiver: Pick<AuditReceiver<never>, 'hasRoom' | 'reserve'>) => () => void;
}

/** Delivers events to one subscriber, isolated from the errors and delays of other subscribers. */
export class AuditReceiver<Value> {
  readonly #quotas: PendingQuotas;

  constructor(
    private readonly receive: (value: Value) => unknown,
    private readonly context: ReceiverContext,
  ) {
    this.#quotas = new PendingQuotas(context.limits);
  }

  /** Returns whether there is room for the event from a caller's next operation. */
  hasRoom(caller: EventCaller): boolean {
    return this.#quotas.hasRoom(caller, HeapCost.audited);
  }

  /** Reserves room for an operation's event. Returns a function that releases it. */
  reserve(caller: EventCaller): () => void {
    return this.#quotas.reserve(caller, HeapCost.audited);
  }

  /** Delivers a value. It never throws. */
  deliver(value: Value): void {
    try {
      if (this.#isFull(value)) return this.#drop();
      const received = this.receive(value);
      if (isPromiseLike(received)) this.#await(received, value);
    } catch (error) {
      this.#fail('failed to process an event', error);
    }
  }

  /** Reports that the receiver has failed. */
  fail(error: unknown): void {
    this.#fail('failed and receives no more events', error);
  }

  #drop(): void {
    this.context.onDropped();
    this.#fail('has too many pending events, so further events are dropped');
  }

  #isFull(value: Value): boolean {
    if (this.#quotas.isEmpty) return false;
    const delivery = this.context.findDelivery();
    return (
      delivery?.isAdmitted !== true && !this.#quotas.hasRoom(selectCaller(delivery), estimateHeap(value))
    );
  }

  #await(received: PromiseLike<unknown>, value: Value): void {
    const delivery = this.context.findDelivery();
    const release = this.#quotas.reserve(selectCaller(delivery), estimateHeap(value));
    const work = Promise.resolve(received)
      .then(
        () => undefined,
        (error: unknown) => this.#fail('failed to process an event', error, delivery),
      )
      .finally(release);
    this.context.watch(work);
    if (delivery !== undefined) (delivery.waiting ??= []).push(work);
  }

  #fail(what: string, error?: unknown, delivery = this.context.findDelivery()): void {
    if (delivery !== undefined) delivery.hasFailed = true;
    this.context.log.error(what, `An "McpAudit" subscriber ${what}`, error);
  }
}

/** Values that do not originate from an event are not counted toward any caller. */
function selectCaller(delivery: Delivery | undefined): EventCaller | undefined {
  return delivery && findEventCaller(delivery.facts);
}

/** The delivery of one event to all receivers. */
export interface Delivery {
  /** The operation that the event describes. It determines whose quota the event counts toward. */
  readonly facts: AuditedFacts;
  /** Whether room was reserved before the operation ran. */
  readonly isAdmitted: boolean;
  /** Whether a receiver failed. */
  hasFailed: boolean;
  /** Resolves when slow receivers have finished. They never reject. */
  waiting: Promise<void>[] | undefined;
}

/** Returns the delivery for which a receiver is currently being called, if any. */
type FindDelivery = () => Delivery | undefined;

/** The caller whose quota an event counts toward until it is stored. */
export interface EventCaller {
  /** Distinguishes callers; absent for a quota that all of them share. */
  readonly name: string | undefined;
  /** Whether the caller is anonymous. Anonymous callers share one quota. */
  readonly isAnonymous: boolean;
}

/** The caller for messages that do not arrive over a network. */
const LOCAL: EventCaller = { name: undefined, isAnonymous: false };

/** Returns an event's caller, identified by token if there is one and by address otherwise. */
export function findEventCaller({ type, source, caller }: AuditedFacts): EventCaller {
  const identity = caller?.identity;
  if (identity !== undefined) return { name: nameAccount(identity), isAnonymous: false };
  if (source.http !== undefined) return { name: findAnonymousAddress(source), isAnonymous: true };
  // Sessions and tasks can end without a message.
  const isEnd = type === 'session_ended' || type === 'task';
  return isEnd ? { name: caller?.address, isAnonymous: true } : LOCAL;
}

/** The limits on pending events. */
interface PendingLimits {
  readonly events: number;
  readonly bytes: number;
}

/** The number of events and their total size. */
interface ReceiverCounts {
  events: number;
  bytes: number;
}

/** The combined share of all anonymous callers. */
const ANONYMOUS_SHARE = 0.5;

/**
 * Divides a receiver's pending events among callers. A caller can never hold more than what remains free, so there is
 * always room for another caller. All anonymous callers together hold at most half.
 */
export class PendingQuotas {
  readonly #limits: PendingLimits;
  readonly #anonymousLimits: PendingLimits;
  readonly #all: ReceiverCounts = { events: 0, bytes: 0 };
  readonly #anonymous: ReceiverCounts = { events: 0, bytes: 0 };
  readonly #known = new Map<string, ReceiverCounts>();
  readonly #byAddress = new Map<string, ReceiverCounts>();

  constructor(limits: PendingLimits) {
    this.#limits = limits;
    this.#anonymousLimits = {
      events: Math.ceil(limits.events * ANONYMOUS_SHARE),
      bytes: Math.ceil(limits.bytes * ANONYMOUS_SHARE),
    };
  }

  /** Whether no events are pending. */
  get isEmpty(): boolean {
    return this.#all.events === 0;
  }

  /** Returns whether a caller may have one more pending event. */
  hasRoom(caller: EventCaller | undefined, bytes: number): boolean {
    // A single event may be of any size, because it already exists.
    if (this.isEmpty) return true;
    const all = measureFree(this.#all, this.#limits);
    if (caller === undefined) return fits(NOTHING, bytes, all);
    const own = this.#find(caller) ?? NOTHING;
    if (!caller.isAnonymous) return fits(own, bytes, all);
    const isCommon = caller.name === undefined;
    const left = measureFree(this.#anonymous, this.#anonymousLimits);
    return fits(this.#anonymous, bytes, all) && fits(isCommon ? NOTHING : own, bytes, left);
  }

  /** Counts a caller's event even if there is no room for it. Returns a function that releases it. */
  reserve(caller: EventCaller | undefined, bytes: number): () => void {
    this.#count(caller, { events: 1, bytes });
    return () => this.#count(caller, { events: -1, bytes: -bytes });
  }

  #count(caller: EventCaller | undefined, change: ReceiverCounts): void {
    add(this.#all, change);
    if (caller === undefined) return;
    if (caller.isAnonymous) add(this.#anonymous, change);
    if (caller.isAnonymous && caller.name === undefined) return;
    const callers = this.#select(caller);
    const name = caller.name ?? UNNAMED;
    const own = callers.get(name) ?? { events: 0, bytes: 0 };
    callers.set(name, own);
    add(own, change);
    if (own.events === 0) callers.delete(name);
  }

  #find(caller: EventCaller): ReceiverCounts | undefined {
    return this.#select(caller).get(caller.name ?? UNNAMED);
  }

  #select({ isAnonymous }: EventCaller): Map<string, ReceiverCounts> {
    return isAnonymous ? this.#byAddress : this.#known;
  }
}

/** The key for a caller without a name. */
const UNNAMED = '';

const NOTHING: ReceiverCounts = Object.freeze({ events: 0, bytes: 0 });

function measureFree(received: ReceiverCounts, limits: PendingLimits): ReceiverCounts {
  return { events: limits.events - received.events, bytes: limits.bytes - received.bytes };
}

function fits(own: ReceiverCounts, bytes: number, left: ReceiverCounts): boolean {
  return own.events + 1 <= left.events && own.bytes + bytes <= left.bytes;
}

function add(tally: ReceiverCounts, { events, bytes }: ReceiverCounts): void {
  tally.events += events;
  tally.bytes += bytes;
}

/** Bytes per object, array or property, excluding strings. */
const VALUE_BYTES = 56;

/** The maximum number of values to count. */
const MOST_VALUES = 100_000;

/**
 * Estimates the heap size of a pending event, or of an RxJS operator's value. It never throws, whatever a redactor
 * returns.
 */
export function estimateHeap(event: unknown): number {
  let bytes: number = HeapCost.audited;
  let values = 0;
  // Objects that are referenced more than once, or that reference themselves, count once.
  const holders = new Set<object>();
  const count = (value: unknown): void => {
    values += 1;
    bytes += VALUE_BYTES + measureOwn(value);
    if (typeof value === 'object' && value !== null) holders.add(value);
  };
  count(event);
  for (const holder of holders) {
    for (const part of listParts(holder)) count(part);
    if (values >= MOST_VALUES) break;
  }
  return bytes;
}

function measureOwn(value: unknown): number {
  if (typeof value === 'string') return estimateText(value);
  return ArrayBuffer.isView(value) ? value.byteLength : 0;
}

/** Reading a redactor's object may throw, in which case no subscriber can read it either. */
function listParts(holder: object): readonly unknown[] {
  if (ArrayBuffer.isView(holder)) return [];
  try {
    if (holder instanceof Map || holder instanceof Set) return [...holder].flat();
    return Object.values(holder).filter((part) => part !== undefined);
  } catch {
    return [];
  }
}
