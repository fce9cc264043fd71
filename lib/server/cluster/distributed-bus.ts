import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { Keyring } from '../../core/sealing/keyring.js';
import {
  ClusterBus,
  ClusterTimeouts,
  type Delivery,
  type LogEntry,
  type MemberReply,
  type Query,
  type SharedState,
  type Topic,
} from './cluster-bus.js';
import { Envelopes } from './envelopes.js';
import { Acknowledgements } from './acknowledgements.js';
import { Inbox, type TraceCarrier } from './inbox.js';
import { MemberNames } from './member-names.js';
import { Publisher } from './publisher.js';
import { ClusterLog, LogHistory, LogReplay, LOSS, readEntry } from './cluster-log.js';
import { EncryptedState, SealedRecords } from './sealed-records.js';
import { ignoreUnknown, Signal, TopicSubscribers } from './topic-subscribers.js';
import type {
  Cluster,
  ClusterConnection,
  ClusterEntry,
  ClusterPosition,
  ClusterRecordChange,
  ClusterStats,
} from '../settings/cluster/cluster.interface.js';

/** Tells that entries of the log are lost: before any later message, and after the entries that arrived with them. */
class GapSignals {
  readonly early = new Signal();
  readonly late = new Signal();

  tell(): void {
    this.early.emit();
    queueMicrotask(() => this.late.emit());
  }
}

const HERE: Delivery = Object.freeze({});

/** The bus of a server with several processes. Published messages go through their shared log, and come back from it. */
export class DistributedBus extends ClusterBus implements OnModuleInit, OnApplicationShutdown {
  readonly isShared = true;
  readonly member: string;
  readonly own: Publisher;
  readonly shared: SharedState;
  readonly #names: MemberNames;
  readonly #takers = new TopicSubscribers();
  readonly #placedTakers = new TopicSubscribers();
  readonly #gaps = new GapSignals();
  readonly #back = new Signal();
  readonly #log = new ClusterLog();
  readonly #recall: LogReplay;
  readonly #envelopes: Envelopes;
  readonly #inbox: Inbox;
  readonly #acknowledgements: Acknowledgements;
  #connection: ClusterConnection | undefined;

  constructor(
    private readonly cluster: Cluster,
    private readonly server: string,
    keyring: Keyring,
    traces?: TraceCarrier,
    waits = new ClusterTimeouts(),
  ) {
    super();
    this.#names = new MemberNames(keyring, server);
    this.member = this.#names.create();
    const [envelopes, records] = [new Envelopes(keyring, server), new SealedRecords(keyring, server)];
    this.#envelopes = envelopes;
    const connect = () => this.#getConnection();
    const history = new LogHistory(this.#log, new Envelopes(keyring, server), connect);
    this.#recall = new LogReplay(this.#log, history);
    this.shared = new EncryptedState(connect, records, this.#names);
    this.#inbox = new Inbox({
      member: this.member,
      envelopes,
      waits,
      send: async (text, to) => connect().send(text, to),
      now: () => this.now,
      take: (topic, body) => this.#takers.tryToDeliver(topic, body, HERE),
      traces,
    });
    this.own = new Publisher({
      member: this.member,
      envelopes,
      records,
      connect: () => (this.isConnected ? this.#connection : undefined),
      deliverHere: ({ topic, body }, name) => this.#takers.tryToDeliver(topic, body, { name }),
      reportLoss: (dropped) => this.publish(LOSS, { dropped }),
    });
    this.#acknowledgements = new Acknowledgements({ bus: this, publisher: this.own, waits });
    this.on(LOSS, () => this.#gaps.tell());
  }

  isMember(name: string): boolean {
    return this.#names.isOurs(name);
  }

  get isConnected(): boolean {
    return this.#connection?.isConnected === true;
  }

  get position(): ClusterPosition | undefined {
    return this.#connection?.position;
  }

  get stats(): ClusterStats {
    const [connection, publisher, envelopes] = [this.#connection, this.own, this.#envelopes];
    return gatherStats({ connection, publisher, envelopes });
  }

  async onModuleInit(): Promise<void> {
    this.#connection = await this.cluster.join({
      id: this.member,
      server: this.server,
      onEntry: (entry) => {
        this.#take(entry);
        this.#acknowledgements.noteTaken();
      },
      onMessage: (text) => this.#inbox.receive(text),
      onGap: () => {
        // What is in memory is not whole any more.
        this.#log.restart();
        this.#gaps.tell();
      },
      onConnection: (isConnected) => {
        if (!isConnected) return;
        void this.own.flush();
        this.#back.emit();
      },
    });
    this.#log.begin(this.#connection.position);
    void this.own.flush();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.own.drain();
    this.own.close();
    await this.#connection?.close();
  }

  publish<Body extends object>({ name }: Topic<Body>, body: Body, change?: ClusterRecordChange): void {
    void this.own.publish(name, body, change);
  }

  publishFlushed<Body extends object>(
    { name }: Topic<Body>,
    body: Body,
    change?: ClusterRecordChange,
  ): Promise<void> {
    return this.own.publish(name, body, change);
  }

  flush(): Promise<boolean> {
    return this.own.whenAppended();
  }

  acknowledged(): Promise<void> {
    return this.#acknowledgements.request();
  }

  on<Body extends object>(
    { name, isBody }: Topic<Body>,
    take: (body: Body, delivery: Delivery) => void,
  ): () => void {
    return this.#takers.add(name, ignoreUnknown(isBody, take));
  }

  onStored<Body extends object>(
    { name, isBody }: Topic<Body>,
    take: (body: Body, delivery: Delivery) => void,
  ): () => void {
    return this.#placedTakers.add(name, ignoreUnknown(isBody, take));
  }

  replay<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
  ): Promise<readonly LogEntry<Body>[] | undefined> {
    return this.#recall.all(topic, after);
  }

  replayBuffered<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
  ): readonly LogEntry<Body>[] | undefined {
    return this.#recall.kept(topic, after);
  }

  replayInParts<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
    reader?: string,
  ): AsyncGenerator<readonly LogEntry<Body>[]> {
    return this.#recall.inParts(topic, after, reader);
  }

  onGap(take: () => void): () => void {
    return this.#gaps.late.add(take);
  }

  onEarlyGap(take: () => void): () => void {
    return this.#gaps.early.add(take);
  }

  onReconnect(take: () => void): () => void {
    return this.#back.add(take);
  }

  broadcast<Body extends object>({ name }: Topic<Body>, body: Body): void {
    this.#inbox.tell(name, body);
    this.#takers.tryToDeliver(name, body, HERE);
  }

  send<Body extends object>({ name }: Topic<Body>, body: Body, member?: string): void {
    this.#inbox.tell(name, body, member);
  }

  async request<Body extends object, Reply>(
    { name }: Query<Body, Reply>,
    body: Body,
    member: string,
  ): Promise<Reply> {
    return (await this.#inbox.ask(name, body, member)) as Reply;
  }

  async requestAll<Body extends object, Reply>(
    { name }: Query<Body, Reply>,
    body: Body,
  ): Promise<readonly MemberReply<Reply>[]> {
    const members = this.isConnected ? await this.shared.members().catch(() => []) : [];
    return (await this.#inbox.requestAll(name, body, members)) as readonly MemberReply<Reply>[];
  }

  respond<Body extends object, Reply>(
    { name }: Query<Body, Reply>,
    reply: (body: Body, member: string) => Reply | Promise<Reply>,
  ): void {
    this.#inbox.answer(name, reply);
  }

  #take(read: ClusterEntry): void {
    const entry = readEntry(read, this.#envelopes);
    if (entry === undefined) return;
    const { topic, body, position, member, count } = entry;
    const isTold = member === this.member && this.own.takeBack(count);
    // It may be there twice: it was not known how its publication ended, or the client of the engine sent it again by itself.
    if (this.#log.has(entry)) return;
    this.#log.add(entry, read.text.length);
    const takers = isTold ? this.#placedTakers : this.#takers;
    takers.tryToDeliver(topic, body, { position, name: { member, count } });
  }

  #getConnection(): ClusterConnection {
    if (this.#connection !== undefined) return this.#connection;
    throw new Error('This process has not joined the others yet');
  }
}

/** What the figures are gathered from. */
export interface StatsSources {
  /** Absent until this process joins. */
  readonly connection: ClusterConnection | undefined;
  readonly publisher: Pick<Publisher, 'waiting' | 'dropped'>;
  readonly envelopes: Pick<Envelopes, 'isReadable' | 'unreadable'>;
}

const NONE = { reconnections: 0, replayed: 0, gaps: 0 };

/** Gathers the figures of the exchange between processes. */
export function gatherStats({ connection, publisher, envelopes }: StatsSources): ClusterStats {
  const { waiting, dropped } = publisher;
  const { isReadable, unreadable } = envelopes;
  const isConnected = connection?.isConnected === true;
  const failure = isConnected ? undefined : connection?.failure;
  const exchange = { isConnected, isReadable, unreadable, waiting, dropped };
  return { ...NONE, ...connection?.figures, ...exchange, ...(failure && { failure }) };
}
