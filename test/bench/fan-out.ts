import { Connection } from './connection.js';
import { parseMessage } from './http-answer.js';
import { RequestTemplate } from './request-template.js';
import { ANNOUNCE_TOOL, LIST_CHANGED } from './servers/fixtures.js';
import { type ServerProcess } from './server-process.js';
import { endSessions, openSession } from './session.js';
import { findQuantile, type Sample, sortNumbers } from './statistics.js';
import { buildStreamRequest } from './wire.js';

export interface FanOutPlan {
  /** How often every row of a table is measured, in turn with the others. */
  rounds: number;
  streams: number;
  announcements: number;
}

const WARM_UP_ANNOUNCEMENTS = 3;
const OPENED_AT_ONCE = 50;
const DEADLINE_MS = 20_000;

/**
 * Opens GET streams, each of a session of its own, calls the tool that announces a changed list, and reads the server's
 * processor time from before the first call until every stream has received every notification.
 */
export async function measureFanOut(server: ServerProcess, plan: FanOutPlan): Promise<Sample> {
  const fanOut = new FanOut(server.port);
  try {
    await fanOut.open(plan.streams);
    for (let count = 0; count < WARM_UP_ANNOUNCEMENTS; count += 1) await fanOut.announce();
    const cpuBefore = await server.readCpuMicroseconds();
    const started = performance.now();
    const latencies: number[] = [];
    for (let count = 0; count < plan.announcements; count += 1) latencies.push(...(await fanOut.announce()));
    const seconds = (performance.now() - started) / 1000;
    const cpu = (await server.readCpuMicroseconds()) - cpuBefore;
    const sorted = sortNumbers(latencies);
    return {
      cpuMicroseconds: cpu / sorted.length,
      perSecond: sorted.length / seconds,
      p50Milliseconds: findQuantile(sorted, 0.5),
      p99Milliseconds: findQuantile(sorted, 0.99),
      bytes: fanOut.eventLength,
    };
  } finally {
    await fanOut.close();
  }
}

class FanOut {
  eventLength = 0;
  private readonly connections: Connection[] = [];
  private readonly sessionIds: string[] = [];
  private control: { connection: Connection; template: RequestTemplate } | undefined;
  private onNotification: (() => void) | undefined;

  constructor(private readonly port: number) {}

  async open(streams: number): Promise<void> {
    for (let opened = 0; opened < streams; opened += OPENED_AT_ONCE) {
      const count = Math.min(OPENED_AT_ONCE, streams - opened);
      await Promise.all(Array.from({ length: count }, () => this.openStream()));
    }
    const { connection, sessionId } = await this.connect();
    const message = { method: 'tools/call', params: { name: ANNOUNCE_TOOL.name, arguments: {} } };
    const destination = { port: this.port, wire: 'handshake', sessionId } as const;
    this.control = { connection, template: new RequestTemplate(destination, message) };
  }

  /** Gives the time from the call to the notification, in milliseconds, of every stream. */
  async announce(): Promise<number[]> {
    const { control } = this;
    if (!control) throw new Error('The streams are not open yet');
    const streams = this.connections.length - 1;
    const latencies: number[] = [];
    const sent = performance.now();
    const received = new Promise<void>((resolve, reject) => {
      const deadline = setTimeout(
        () => reject(new Error(`${latencies.length} of ${streams} streams received the notification`)),
        DEADLINE_MS,
      );
      this.onNotification = () => {
        latencies.push(performance.now() - sent);
        if (latencies.length < streams) return;
        clearTimeout(deadline);
        resolve();
      };
    });
    const [answer] = await Promise.all([
      control.connection.exchange(control.template.createRequest()),
      received,
    ]);
    const { result } = parseMessage(answer) as { result?: { isError?: boolean } };
    if (!result || result.isError) throw new Error(`The announcement failed: ${answer.body.toString()}`);
    return latencies;
  }

  async close(): Promise<void> {
    if (this.control) await endSessions(this.control.connection, { port: this.port }, this.sessionIds);
    for (const connection of this.connections) connection.close();
  }

  private async openStream(): Promise<void> {
    const { connection, sessionId } = await this.connect();
    const request = buildStreamRequest({ port: this.port, wire: 'handshake', sessionId });
    const head = await connection.openStream(request, (text) => this.receive(text));
    if (!/^HTTP\/1\.1 200 [^]*text\/event-stream/i.test(head)) throw new Error(`No event stream: ${head}`);
  }

  private async connect(): Promise<{ connection: Connection; sessionId: string | undefined }> {
    const connection = await Connection.open(this.port);
    this.connections.push(connection);
    const sessionId = await openSession(connection, { port: this.port });
    if (sessionId !== undefined) this.sessionIds.push(sessionId);
    return { connection, sessionId };
  }

  private receive(text: string): void {
    if (!text.includes(LIST_CHANGED.method)) return;
    this.eventLength = text.length;
    this.onNotification?.();
  }
}
