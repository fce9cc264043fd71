import type { EventStream } from '../clients/event-stream.js';
import { initialize, perRequest, type SessionClient } from '../clients/json-rpc.js';
import type { JsonObject, Message } from '../clients/message.js';
import { publishedClient, textOfTask, type PublishedClient } from '../clients/task-wires.js';
import { textOfCall } from '../clients/tools.js';
import { WebhookReceiver, WEBHOOK_SECRET } from '../webhook-receiver.js';
import { until } from '../until.js';
import type { ProcessCluster } from './process-cluster.js';

/** Milliseconds in which what was spoilt heals. */
const HEAL_MS = 60_000;

/** Milliseconds that one attempt waits for a message: what is lost does not come any more. */
const ATTEMPT_MS = 5000;

/** Longer than all tests. */
const ENDLESS_MS = 3_600_000;

const CAPABILITIES = { elicitation: { form: {} } };
const WATCHED = 'cluster://watched';

/** What a caller has at a server for long. */
interface Kept {
  readonly session: SessionClient;
  readonly taskId: unknown;
  /** A task that runs all the time. */
  readonly openId: unknown;
  readonly text: string;
}

let count = 0;

/** A caller of two processes that are one server. What it begins at one, it goes on with at the other. */
export class AttackedCaller {
  /** All that the server has told it. */
  readonly heard: string[] = [];
  readonly #headers;
  readonly #calls: Promise<void>[] = [];
  #kept: Kept | undefined;

  private constructor(
    private readonly name: string,
    private readonly cluster: ProcessCluster,
    /** Of what its texts begin with. */
    private readonly environment: string,
    private readonly receiver: WebhookReceiver,
  ) {
    this.#headers = { authorization: `Bearer token-of-${name}-0123456789` };
  }

  static async start(
    name: string,
    cluster: ProcessCluster,
    environment = 'production',
  ): Promise<AttackedCaller> {
    return new AttackedCaller(name, cluster, environment, await WebhookReceiver.start());
  }

  async close(): Promise<void> {
    await Promise.all(this.#calls);
    await this.receiver.stop();
  }

  /** Opens a session, has a task done and another begun, and a value kept, for {@link findsAll}. */
  async keep(): Promise<void> {
    const session = await this.#open();
    const text = this.#invent();
    const { taskId } = await this.#tasks(0).create('job', { name: text });
    await this.#tasks(0).reach(taskId);
    const openId = await this.beginTask();
    await this.#call(0, 'keep', { key: 'kept', value: text });
    this.#kept = { session, taskId, openId, text };
  }

  /** Begins a task that does not end. */
  async beginTask(): Promise<unknown> {
    const { taskId } = await this.#tasks(0).create('job', { name: this.#invent(), ms: ENDLESS_MS });
    return taskId;
  }

  /** Finds all that was kept at both processes, as soon as they have healed. */
  async findsAll(when: string): Promise<void> {
    const { session, taskId, openId, text } = this.#kept as Kept;
    for (const index of [0, 1]) {
      await this.#tryTo(`what ${this.name} has at process ${index} ${when}`, async () => {
        const { status } = await session.at(this.cluster.urlOf(index)).request('tools/list');
        expectSame('the status of the session', status, 200);
        expectSame('the task', textOfTask(await this.#tasks(index).get(taskId)).split(' at ')[0], text);
        expectSame('the open task', (await this.#tasks(index).get(openId))['status'], 'working');
        expectSame('the value', await this.#call(index, 'kept', { key: 'kept' }), JSON.stringify(text));
      });
    }
  }

  /** Asks another server for what was kept here, and gives how that answers. */
  async askAt(other: ProcessCluster): Promise<readonly unknown[]> {
    const { session, taskId } = this.#kept as Kept;
    const headers = this.#headers;
    const url = other.urlOf(0);
    const { status } = await session.at(url).request('tools/list');
    const { response } = await publishedClient(url, { headers }).send('tasks/get', { taskId });
    return [status, response?.error?.code];
  }

  /**
   * Uses all that processes share, as soon as they have healed.
   *
   * @returns the session, which it has ended
   */
  async useAll(when = ''): Promise<SessionClient> {
    let session!: SessionClient;
    await this.#tryTo(`all of the server ${when}`, async () => {
      session = await this.#open();
      await this.#answerQuestion(session);
      await this.#finishTask();
      await this.#keepValue();
      await this.#hearEvent();
      await session.at(this.cluster.urlOf(1)).delete();
      const { status } = await session.request('tools/list');
      expectSame('the status of the ended session', status, 404);
    });
    return session;
  }

  /** Calls as often as it can, whether or not that works, until the returned function is called. */
  keepCalling(): () => void {
    const end = new AbortController();
    const call = async (act: () => Promise<unknown>): Promise<void> => {
      while (!end.signal.aborted) await act().catch(() => undefined);
    };
    this.#calls.push(
      call(async () => this.#answerQuestion(await this.#open())),
      call(() => this.#finishTask()),
      call(() => this.#keepValue()),
    );
    return () => end.abort();
  }

  async #answerQuestion(session: SessionClient): Promise<void> {
    const word = this.#invent();
    const stream = await session.start('tools/call', { name: 'ask', arguments: {} }).stream();
    try {
      const { id } = await stream.nextMessage(isQuestion, ATTEMPT_MS);
      const result = { action: 'accept', content: { word } };
      await session.at(this.cluster.urlOf(1)).post({ jsonrpc: '2.0', id, result });
      const answer = await stream.nextMessage(({ method }) => method === undefined, ATTEMPT_MS);
      expectSame('the answer', textOfCall(answer.result).split(' at ')[0], word);
    } finally {
      await this.#leave(stream);
    }
  }

  async #finishTask(): Promise<void> {
    const name = this.#invent();
    const { taskId } = await this.#tasks(0).create('job', { name, ms: 20 });
    const task = await this.#tasks(1).reach(taskId);
    this.#note(task);
    expectSame('the task', textOfTask(task).split(' at ')[0], name);
  }

  async #keepValue(): Promise<void> {
    const value = this.#invent();
    await this.#call(0, 'keep', { key: 'latest', value });
    expectSame('the value', await this.#call(1, 'kept', { key: 'latest' }), JSON.stringify(value));
  }

  /** Hears of an event by a stream, by a webhook and by a subscription. */
  async #hearEvent(): Promise<void> {
    const text = this.#invent();
    const source = { name: 'news.reported' };
    const delivery = { mode: 'webhook', url: this.receiver.url, secret: WEBHOOK_SECRET };
    await this.#client(0)
      .start('events/subscribe', { ...source, delivery })
      .result();
    const events = await this.#client(1).start('events/stream', source).stream();
    const updates = await this.#client(1).listen({ resourceSubscriptions: [WATCHED] });
    try {
      await events.nextNotification('notifications/events/active', ATTEMPT_MS);
      await this.#call(0, 'report', { text });
      await this.#call(0, 'update', {});
      const isIt = (message: Message) => JSON.stringify(message).includes(text);
      await events.nextMessage(isIt, ATTEMPT_MS);
      await updates.nextNotification('notifications/resources/updated', ATTEMPT_MS);
      const isReceived = () => this.receiver.received.some((received) => received.text.includes(text));
      await until(isReceived, 'the webhook', ATTEMPT_MS);
    } finally {
      await Promise.all([events, updates].map((stream) => this.#leave(stream)));
      this.heard.push(...this.receiver.received.map((received) => received.text));
    }
  }

  async #call(index: number, name: string, given: JsonObject): Promise<string> {
    const result = await this.#client(index).start('tools/call', { name, arguments: given }).result();
    this.#note(result);
    return textOfCall(result);
  }

  #open(): Promise<SessionClient> {
    return initialize(this.cluster.urlOf(0), { headers: this.#headers, capabilities: CAPABILITIES });
  }

  #client(index: number) {
    return perRequest(this.cluster.urlOf(index), { headers: this.#headers });
  }

  #tasks(index: number): PublishedClient {
    return publishedClient(this.cluster.urlOf(index), { headers: this.#headers });
  }

  async #leave(stream: EventStream): Promise<void> {
    this.#note(stream.messages);
    await stream.close();
  }

  #note(told: unknown): void {
    this.heard.push(JSON.stringify(told));
  }

  #invent(): string {
    count += 1;
    return `${this.environment} ${this.name} ${count}`;
  }

  /** Tries something that may fail until what was spoilt is healed. */
  async #tryTo(what: string, act: () => Promise<void>): Promise<void> {
    let failure: unknown;
    const attempt = () =>
      act().then(
        () => true,
        (error: unknown) => {
          failure = error;
          return false;
        },
      );
    await until(attempt, () => `${what}: ${String(failure)}`, HEAL_MS);
  }
}

function isQuestion({ id, method }: Message): boolean {
  return id !== undefined && method !== undefined;
}

function expectSame(what: string, found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`Expected ${what} to be ${String(wanted)}, got ${String(found)}`);
}
