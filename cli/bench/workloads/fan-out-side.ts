import { setTimeout as delay } from 'node:timers/promises';
import type { Recorded } from '../bare/bare-process.js';
import type { GivenHeaders } from '../../server/parse-header.js';
import { readResult } from '../wire/read-result.js';
import type { LoadConnection } from '../wire/load-connection.js';
import { LoadConnections } from '../wire/load-connections.js';
import type { LoadTarget } from '../wire/load-target.js';
import type { BenchWire, McpRequest } from '../wire/mcp-request.js';
import { openStream } from '../wire/open-stream.js';
import type { RawResponse } from '../wire/raw-response.js';
import { RequestBytes } from '../wire/request-bytes.js';
import { MeasurementError } from '../measurement.error.js';
import { EventCounter } from './event-counter.js';
import { timeSlice, type Contender, type Slice } from './measure-pairs.js';
import type { WorkloadTime } from './workload-time.js';

/** A server that sends notifications to open streams. */
export interface FanOutSetup {
  readonly target: LoadTarget;
  readonly wire: BenchWire;
  /** The call that makes the server send a notification. */
  readonly request: McpRequest;
  readonly streams: number;
  readonly subscribedUri: string | undefined;
  readonly time: WorkloadTime;
  /** Opens a session that is subscribed to the change, and returns its headers. */
  readonly openSession: (connection: LoadConnection) => Promise<GivenHeaders>;
}

const OPENED_AT_ONCE = 16;

/** Further events of the same call arrive within this time. */
const QUIET_MS = 100;

/** A notification that does not arrive in this time will not arrive at all. */
const LONGEST_WAIT_MS = 5000;

interface Listener {
  readonly counter: EventCounter;
  readonly close: () => void;
}

/**
 * Open streams, and a client that makes the server send a notification to all of them and repeats this as soon as all
 * have received it.
 */
export class FanOutSide implements Contender {
  readonly #connections: LoadConnections;
  readonly #listeners: Listener[] = [];
  #caller: { readonly connection: LoadConnection; readonly request: RequestBytes } | undefined;
  #perNotifyCall = 1;
  #isClosed = false;
  #onHeard: (() => void) | undefined;
  #onFailure: ((error: Error) => void) | undefined;

  constructor(private readonly setup: FanOutSetup) {
    this.#connections = new LoadConnections(setup.target);
    setup.time.cut.addEventListener('abort', () => this.close(setup.time.cut.reason as Error));
  }

  /** Opens the streams, and the calling client's connection. */
  async open(): Promise<void> {
    this.setup.time.cut.throwIfAborted();
    const { target, wire, request, streams, openSession } = this.setup;
    const connection = await this.#connections.open();
    const session = await openSession(connection);
    this.#caller = { connection, request: new RequestBytes(target, request, { wire, session }) };
    const openers = Math.min(OPENED_AT_ONCE, streams);
    await Promise.all(
      Array.from({ length: openers }, (_, index) =>
        this.#openListeners(Math.floor((streams + index) / openers)),
      ),
    );
  }

  /** Sends one call, and returns the response and the events on each stream. */
  async record(): Promise<Required<Recorded>> {
    const { answer, id } = await this.#publish();
    // One call may cause several events.
    await delay(QUIET_MS);
    const counts = this.#listeners.map(({ counter }) => counter.count);
    const [first = 0] = counts;
    if (counts.some((count) => count !== first))
      throw new MeasurementError('a call does not send the same number of events to every stream');
    this.#perNotifyCall = first;
    return { answer, id, event: this.#listeners[0]?.counter.text ?? '' };
  }

  async slice(durationMs: number): Promise<Slice> {
    const { time } = this.setup;
    const end = performance.now() + durationMs;
    return timeSlice(async () => {
      const latencies: number[] = [];
      do {
        for (const latency of (await this.#publish()).latencies) latencies.push(latency);
      } while (performance.now() < end && !time.isInterrupted);
      return latencies;
    });
  }

  /** Closes all streams and connections. */
  close(reason: Error = new MeasurementError('the measurement has ended')): void {
    this.#isClosed = true;
    this.#onFailure?.(reason);
    this.#connections.close(reason);
    for (const { close } of this.#listeners.splice(0)) close();
  }

  async #publish(): Promise<{
    readonly answer: RawResponse;
    readonly id: number;
    readonly latencies: readonly number[];
  }> {
    this.setup.time.cut.throwIfAborted();
    if (this.#caller === undefined) throw new Error('No streams are open');
    const { connection, request } = this.#caller;
    for (const { counter } of this.#listeners) counter.reset();
    const heard = this.#waitForAll();
    const { bytes, id } = request.next();
    const [latencies, answer] = await Promise.all([heard, connection.exchange(bytes)]);
    readResult(answer);
    return { answer, id, latencies };
  }

  /** Returns the milliseconds after which each stream has received all events. */
  #waitForAll(): Promise<readonly number[]> {
    const sent = performance.now();
    const latencies: number[] = [];
    const { length } = this.#listeners;
    return new Promise<readonly number[]>((resolve, reject) => {
      const late = setTimeout(() => {
        const deaf = length - latencies.length;
        reject(new MeasurementError(`${deaf} of ${length} streams do not receive the call's notification`));
      }, LONGEST_WAIT_MS);
      this.#onFailure = (error) => {
        clearTimeout(late);
        reject(error);
      };
      this.#onHeard = () => {
        latencies.push(performance.now() - sent);
        if (latencies.length < length) return;
        clearTimeout(late);
        resolve(latencies);
      };
    });
  }

  async #openListeners(count: number): Promise<void> {
    const { target, wire, subscribedUri, openSession, time } = this.setup;
    const { cut: signal } = time;
    const connection = await this.#connections.open();
    for (let opened = 0; opened < count && !this.#isClosed; opened += 1) {
      const counter = new EventCounter();
      const session = await openSession(connection);
      const onText = (text: string) => this.#listen(counter, text);
      const onEnd = () => this.#onFailure?.(new MeasurementError('the server closed a stream'));
      const close = await openStream({ target, wire, session, subscribedUri, signal, onText, onEnd });
      if (this.#isClosed) return close();
      this.#listeners.push({ counter, close });
    }
    connection.destroy();
  }

  #listen(counter: EventCounter, text: string): void {
    const { count: before } = counter;
    counter.read(text);
    if (before < this.#perNotifyCall && counter.count >= this.#perNotifyCall) this.#onHeard?.();
  }
}
