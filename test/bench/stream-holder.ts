import { Connection } from './connection.js';
import { parseMessage } from './http-answer.js';
import { RequestTemplate } from './request-template.js';
import { ANNOUNCE_TOOL, LIST_CHANGED } from './servers/fixtures.js';
import { openSession, subscribe } from './session.js';
import { buildStreamRequest } from './wire.js';

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
  private readonly streams: Connection[] = [];
  private controlSession: { id: string | undefined } | undefined;
  private control: { connection: Connection; template: RequestTemplate } | undefined;
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
    this.control?.connection.close();
    const { port: own, announcingPort: port = own } = this.target;
    const connection = await Connection.open(port);
    this.controlSession ??= { id: await openSession(connection, { port }) };
    const destination = { port, wire: 'handshake', sessionId: this.controlSession.id } as const;
    this.control = { connection, template: new RequestTemplate(destination, CALL) };
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
    const connection = await Connection.open(port);
    const sessionId = await openSession(connection, { port });
    if (announcedUri !== undefined) await subscribe(connection, { port }, { sessionId, uri: announcedUri });
    const request = buildStreamRequest({ port, wire: 'handshake', sessionId });
    const head = await connection.openStream(request, (text) => this.receive(text));
    if (!/^HTTP\/1\.1 200 [^]*text\/event-stream/i.test(head)) throw new Error(`No event stream: ${head}`);
    this.streams.push(connection);
  }

  private async announceOnce(): Promise<number[]> {
    if (!this.control) throw new Error('Nobody who could call is connected');
    const { connection, template } = this.control;
    const [latencies, answer] = await Promise.all([
      this.awaitNotifications(),
      connection.exchange(template.createRequest()),
    ]);
    const { result } = parseMessage(answer) as { result?: { isError?: boolean } };
    if (!result || result.isError) throw new Error(`The announcement failed: ${answer.body.toString()}`);
    return latencies;
  }

  private awaitNotifications(): Promise<number[]> {
    const latencies: number[] = [];
    const { length } = this.streams;
    const sent = performance.now();
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(
        () => reject(new Error(`${latencies.length} of ${length} streams received the notification`)),
        DEADLINE_MS,
      );
      this.onNotification = () => {
        latencies.push(performance.now() - sent);
        if (latencies.length < length) return;
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
