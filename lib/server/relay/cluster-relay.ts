import { Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type {
  Cluster,
  ClusterConnection,
  ClusterEntry,
  ClusterFigures,
  ClusterPosition,
  ClusterRecordChange,
  RelayFigures,
} from '../settings/cluster/cluster.interface.js';
import { inTime } from '../context/in-time.js';
import { createMemberId } from './create-member-id.js';
import { Inbox } from './inbox.js';
import { Publisher } from './publisher.js';
import { RelayError } from './relay.error.js';
import { RelayHistory } from './relay-history.js';
import { parseEntry, RelayLog, type ReadEntry } from './relay-log.js';
import { Relay, type Delivery, type MemberReply, type Recalled, type SharedState } from './relay.js';
import { SharedStateView } from './shared-state-view.js';
import { Topic, type Query } from './topic.js';
import { TopicTakers } from './topic-takers.js';

/** Milliseconds that are waited for the log to take what has to be in it before anything else. */
const SETTLE_MS = 1000;

/** Tells every process that something was lost on its way to the log. */
const LOSS = new Topic<{ readonly dropped: number }>('relay.loss');

const NO_FIGURES: ClusterFigures = { reconnections: 0, replayed: 0, gaps: 0 };

const HERE: Delivery = Object.freeze({});

/** The relay of a server that has several processes: what is published goes through the log that they share, and comes back from it. */
export class ClusterRelay extends Relay implements OnModuleInit, OnApplicationShutdown {
  readonly isShared = true;
  readonly member = createMemberId();
  readonly shared: SharedState;
  readonly #logger = new Logger('McpRelay');
  readonly #takers = new TopicTakers();
  readonly #placedTakers = new TopicTakers();
  readonly #gapTakers = new Set<() => void>();
  readonly #log = new RelayLog();
  readonly #history = new RelayHistory(this.#log, () => this.#getConnection());
  readonly #publisher: Publisher;
  readonly #inbox: Inbox;
  #connection: ClusterConnection | undefined;

  constructor(
    private readonly cluster: Cluster,
    private readonly server: string,
  ) {
    super();
    const { member } = this;
    this.shared = new SharedStateView(() => this.#getConnection());
    this.#inbox = new Inbox({
      member,
      send: async (text, to) => this.#getConnection().send(text, to),
      take: (topic, body) => this.#deliver(topic, body, HERE),
    });
    this.#publisher = new Publisher({
      member,
      connect: () => (this.isConnected ? this.#connection : undefined),
      deliverHere: ({ topic, body }) => this.#deliver(topic, body, HERE),
      reportLoss: (dropped) => this.publish(LOSS, { dropped }),
    });
    this.on(LOSS, () => this.#tellGap());
  }

  get isConnected(): boolean {
    return this.#connection?.isConnected === true;
  }

  get position(): ClusterPosition | undefined {
    return this.#connection?.position;
  }

  get figures(): RelayFigures {
    const { waiting, dropped } = this.#publisher;
    const figures = this.#connection?.figures ?? NO_FIGURES;
    return { ...figures, isConnected: this.isConnected, waiting, dropped };
  }

  async onModuleInit(): Promise<void> {
    this.#connection = await this.cluster.join({
      id: this.member,
      server: this.server,
      onEntry: (entry) => this.#take(entry),
      onMessage: (text) => this.#inbox.receive(text),
      onGap: () => this.#passGap(),
      onConnection: (isConnected) => void (isConnected && this.#publisher.flush()),
    });
    this.#log.begin(this.#connection.position);
    void this.#publisher.flush();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#publisher.flush();
    this.#publisher.close();
    await this.#connection?.close();
  }

  publish<Body extends object>({ name }: Topic<Body>, body: Body, change?: ClusterRecordChange): void {
    void this.#publisher.publish(name, body, change);
  }

  async publishSettled<Body extends object>(
    { name }: Topic<Body>,
    body: Body,
    change?: ClusterRecordChange,
  ): Promise<void> {
    const published = this.#publisher.publish(name, body, change);
    await inTime(
      published,
      SETTLE_MS,
      () => new RelayError('timeout', `The log did not take "${name}"`),
    ).catch(() => undefined);
  }

  on<Body extends object>({ name }: Topic<Body>, take: (body: Body, delivery: Delivery) => void): () => void {
    return this.#takers.add(name, take);
  }

  get told(): number {
    return this.#publisher.told;
  }

  onPlaced<Body extends object>(
    { name }: Topic<Body>,
    take: (body: Body, delivery: Delivery) => void,
  ): () => void {
    return this.#placedTakers.add(name, take);
  }

  async recall<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
  ): Promise<readonly Recalled<Body>[] | undefined> {
    const recalled: Recalled<Body>[] = [];
    try {
      for await (const part of this.recallInParts(topic, after)) recalled.push(...part);
      return recalled;
    } catch (error) {
      if (error instanceof RelayError && error.reason === 'gone') return undefined;
      throw error;
    }
  }

  recallKept<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
  ): readonly Recalled<Body>[] | undefined {
    const kept = this.#log.after(after);
    return kept === undefined || kept.some(isLoss) ? undefined : select(topic, kept);
  }

  async *recallInParts<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
  ): AsyncGenerator<readonly Recalled<Body>[]> {
    for await (const entries of this.#history.read(after)) {
      if (entries.some(isLoss)) throw new RelayError('gone', 'What was published then never reached the log');
      yield select(topic, entries);
    }
  }

  onGap(take: () => void): () => void {
    this.#gapTakers.add(take);
    return () => void this.#gapTakers.delete(take);
  }

  tell<Body extends object>({ name }: Topic<Body>, body: Body, member?: string): void {
    this.#inbox.tell(name, body, member);
  }

  async ask<Body extends object, Reply>(
    { name }: Query<Body, Reply>,
    body: Body,
    member: string,
  ): Promise<Reply> {
    return (await this.#inbox.ask(name, body, member)) as Reply;
  }

  async askAll<Body extends object, Reply>(
    { name }: Query<Body, Reply>,
    body: Body,
  ): Promise<readonly MemberReply<Reply>[]> {
    const members = this.isConnected ? await this.shared.members().catch(() => []) : [];
    const others = members.filter((member) => member !== this.member);
    const replies = await Promise.all([
      this.#inbox.askEach(name, body, others),
      this.#inbox.askHere(name, body),
    ]);
    return replies.flat() as readonly MemberReply<Reply>[];
  }

  answer<Body extends object, Reply>(
    { name }: Query<Body, Reply>,
    reply: (body: Body, member: string) => Reply | Promise<Reply>,
  ): void {
    this.#inbox.answer(name, reply);
  }

  #take({ text, position }: ClusterEntry): void {
    const entry = parseEntry(text, position);
    if (entry === undefined) return;
    const told = entry.member === this.member ? this.#publisher.takeTold(entry.count) : undefined;
    if (entry.isRepeated && this.#log.has(entry)) return;
    this.#log.add(entry, text.length);
    const takers = told === undefined ? this.#takers : this.#placedTakers;
    this.#deliver(entry.topic, entry.body, { position, ...(told !== undefined && { told }) }, takers);
  }

  /** Whoever takes it may fail: that concerns neither the others nor the log. */
  #deliver(topic: string, body: object, delivery: Delivery, takers = this.#takers): void {
    try {
      takers.deliver(topic, body, delivery);
    } catch (error) {
      this.#logger.error(error);
    }
  }

  /** What is in memory is not whole any more. */
  #passGap(): void {
    this.#log.restart();
    this.#tellGap();
  }

  #tellGap(): void {
    for (const take of this.#gapTakers) take();
  }

  #getConnection(): ClusterConnection {
    if (this.#connection !== undefined) return this.#connection;
    throw new Error('This process has not joined the others yet');
  }
}

function isLoss({ topic }: ReadEntry): boolean {
  return topic === LOSS.name;
}

function select<Body extends object>(
  { name }: Topic<Body>,
  entries: readonly ReadEntry[],
): readonly Recalled<Body>[] {
  const recalled: Recalled<Body>[] = [];
  for (const { topic, body, position } of entries)
    if (topic === name) recalled.push({ body: body as Body, position });
  return recalled;
}
