import { readResult } from '../../cli/bench/wire/read-result.js';
import type { LoadConnection } from '../../cli/bench/wire/load-connection.js';
import { openStream } from '../../cli/bench/wire/open-stream.js';
import type { RequestBytes } from '../../cli/bench/wire/request-bytes.js';
import { ANNOUNCE_TOOL, LIST_CHANGED } from './servers/fixtures.js';
import { connect, subscribe, trackSessions } from './session.js';
import { buildTarget, createRequest, type Headers, WIRES } from './wire.js';

const OPENED_AT_ONCE = 50;
const DEADLINE_MS = 30_000;
const UPDATED = 'notifications/resources/updated';
const CALL = { method: 'tools/call', params: { name: ANNOUNCE_TOOL.name, arguments: {} } };

/** What announcements came to. */
export interface Announced {
  /** The time from a call to its notification, in milliseconds, of every stream and call. */
  latencies: number[];
  /** The time that all of them took together. */
  milliseconds: number;
  /** The size of one event. */
  eventLength: number;
}

/** Where streams are opened, and what they are to hear. */
export interface StreamTarget {
  port: number;
  /** Where it is announced, if another process does that. */
  announcingPort?: number;
  /** The resource to subscribe to, if no list change is awaited. */
  announcedUri?: string;
}

/** Holds GET streams of a server open, each of a session of its own, and has the server send notifications to them. */
export class StreamHolder {
  private streams = 0;
  private controlSession: Headers | undefined;
  private control: { connection: LoadConnection; request: RequestBytes } | undefined;
  private onNotification: (() => void) | undefined;
  private eventLength = 0;

  constructor(private readonly target: StreamTarget) {}

  /** Opens further streams, a few at a time. */
  async open(count: number): Promise<void> {
    for (let opened = 0; opened < count; opened += OPENED_AT_ONCE) {
      const some = Math.min(OPENED_AT_ONCE, count - opened);
      await Promise.all(Array.from({ length: some }, () => this.openStream()));
    }
  }

  /** Connects whoever will call; servers close connections that were idle since the last time. */
  async connect(): Promise<void> {
    this.control?.connection.destroy();
    const { port: own, announcingPort: port = own } = this.target;
    const connection = await connect({ port });
    this.controlSession ??= await trackSessions({ port }).open(connection);
    const request = createRequest({ port, wire: 'handshake', session: this.controlSession }, CALL);
    this.control = { connection, request };
  }

  /** Calls the tool that announces a changed list, and waits until every stream has been told, so many times. */
  async announce(times: number): Promise<Announced> {
    const started = performance.now();
    const latencies: number[] = [];
    for (let count = 0; count < times; count += 1) {
      for (const latency of await this.announceOnce()) latencies.push(latency);
    }
    return { latencies, milliseconds: performance.now() - started, eventLength: this.eventLength };
  }

  private async openStream(): Promise<void> {
    const { port, announcedUri } = this.target;
    const connection = await connect({ port });
    const session = await trackSessions({ port }).open(connection);
    if (announcedUri !== undefined) await subscribe(connection, { port }, { session, uri: announcedUri });
    connection.destroy();
    await openStream({
      target: buildTarget({ port }),
      wire: WIRES.handshake,
      session,
      subscribedUri: announcedUri,
      onText: (text) => this.receive(text),
      onEnd: () => undefined,
    });
    this.streams += 1;
  }

  private async announceOnce(): Promise<number[]> {
    if (!this.control) throw new Error('Nobody who could call is connected');
    const { connection, request } = this.control;
    const [latencies, answer] = await Promise.all([
      this.awaitNotifications(),
      connection.exchange(request.next().bytes),
    ]);
    readResult(answer);
    return latencies;
  }

  private awaitNotifications(): Promise<number[]> {
    const latencies: number[] = [];
    const { streams } = this;
    const sent = performance.now();
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(
        () => reject(new Error(`${latencies.length} of ${streams} streams received the notification`)),
        DEADLINE_MS,
      );
      this.onNotification = () => {
        latencies.push(performance.now() - sent);
        if (latencies.length < streams) return;
        clearTimeout(deadline);
        resolve(latencies);
      };
    });
  }

  private receive(text: string): void {
    const awaited = this.target.announcedUri === undefined ? LIST_CHANGED.method : UPDATED;
    if (!text.includes(awaited)) return;
    this.eventLength = text.length;
    this.onNotification?.();
  }
}
