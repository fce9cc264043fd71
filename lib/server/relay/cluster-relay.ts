import { Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type {
  Cluster,
  ClusterConnection,
  ClusterEntry,
  ClusterPosition,
  ClusterRecordChange,
} from '../settings/cluster/cluster.interface.js';
import { createMemberId } from './create-member-id.js';
import { Inbox } from './inbox.js';
import { Publisher } from './publisher.js';
import { parseEntry, RelayLog, type ReadEntry } from './relay-log.js';
import { Relay, type Delivery, type MemberReply, type Recalled, type SharedState } from './relay.js';
import { SharedStateView } from './shared-state-view.js';
import { Topic, type Query } from './topic.js';
import { TopicTakers } from './topic-takers.js';

/** Entries that are read at once of what is not in memory any more. */
const PAGE = 1000;

/** Tells every process that something was lost on its way to the log. */
const LOSS = new Topic<{ readonly dropped: number }>('relay.loss');

const HERE: Delivery = Object.freeze({});

/** The relay of a server that has several processes: what is published goes through the log that they share, and comes back from it. */
export class ClusterRelay extends Relay implements OnModuleInit, OnApplicationShutdown {
  readonly isShared = true;
  readonly member = createMemberId();
  readonly shared: SharedState;
  readonly #logger = new Logger('McpRelay');
  readonly #takers = new TopicTakers();
  readonly #gapTakers = new Set<() => void>();
  readonly #log = new RelayLog();
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

  /** Messages that wait to be published, and that were lost because too many waited. */
  get unpublished(): { readonly waiting: number; readonly dropped: number } {
    const { waiting, dropped } = this.#publisher;
    return { waiting, dropped };
  }

  async onModuleInit(): Promise<void> {
    this.#connection = await this.cluster.join({
      id: this.member,
      server: this.server,
      onEntry: (entry) => this.#take(entry),
      onMessage: (text) => this.#inbox.receive(text),
      onGap: () => this.#tellGap(),
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
    this.#publisher.publish(name, body, change);
  }

  on<Body extends object>({ name }: Topic<Body>, take: (body: Body, delivery: Delivery) => void): () => void {
    return this.#takers.add(name, take);
  }

  async recall<Body extends object>(
    { name }: Topic<Body>,
    after: ClusterPosition,
  ): Promise<readonly Recalled<Body>[] | undefined> {
    const entries = this.#log.after(after) ?? (await this.#readAfter(after));
    return entries
      ?.filter(({ topic }) => topic === name)
      .map(({ body, position }) => ({ body: body as Body, position }));
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
    const wasToldHere = entry.member === this.member && this.#publisher.wasToldHere(entry.count);
    if (entry.isRepeated && this.#log.has(entry)) return;
    this.#log.add(entry, text.length);
    if (!wasToldHere) this.#deliver(entry.topic, entry.body, { position });
  }

  /** Whoever takes it may fail: that concerns neither the others nor the log. */
  #deliver(topic: string, body: object, delivery: Delivery): void {
    try {
      this.#takers.deliver(topic, body, delivery);
    } catch (error) {
      this.#logger.error(error);
    }
  }

  async #readAfter(after: ClusterPosition): Promise<readonly ReadEntry[] | undefined> {
    const entries = new Map<string, ReadEntry>();
    const connection = this.#getConnection();
    for (let from = after; ;) {
      const page = await connection.read(from, PAGE);
      if (page === undefined) return undefined;
      for (const { text, position } of page) {
        const entry = parseEntry(text, position);
        if (entry === undefined || !isBefore(position, this.position)) continue;
        const name = `${entry.member}:${entry.count}`;
        if (!entries.has(name)) entries.set(name, entry);
      }
      const last = page.at(-1)?.position;
      if (last === undefined || page.length < PAGE) return [...entries.values()];
      from = last;
    }
  }

  #tellGap(): void {
    for (const take of this.#gapTakers) take();
  }

  #getConnection(): ClusterConnection {
    if (this.#connection !== undefined) return this.#connection;
    throw new Error('This process has not joined the others yet');
  }
}

/** What the process has not been given yet is going to be delivered. */
function isBefore({ epoch, number }: ClusterPosition, newest: ClusterPosition | undefined): boolean {
  return newest?.epoch === epoch && number <= newest.number;
}
