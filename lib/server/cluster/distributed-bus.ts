import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { Keyring } from '../../core/sealing/keyring.js';
import {
  ClusterBus,
  ClusterTimeouts,
  type Delivery,
  type EntryName,
  type LogEntry,
  type MemberReply,
  type PendingEntry,
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

/** Signals lost log entries twice: before any later message, and after the entries that arrived with them. */
class GapSignals {
  readonly early = new Signal();
  readonly late = new Signal();

  emit(): void {
    this.early.emit();
    queueMicrotask(() => this.late.emit());
  }
}

const WITHOUT_POSITION: Delivery = Object.freeze({});

/** The bus for a cluster. Published messages pass through the shared log. */
export class DistributedBus extends ClusterBus implements OnModuleInit, OnApplicationShutdown {
  readonly isShared = true;
  readonly member: string;
  readonly shared: SharedState;
  readonly #names: MemberNames;
  readonly #receivers = new TopicSubscribers();
  readonly #storedReceivers = new TopicSubscribers();
  readonly #gaps = new GapSignals();
  readonly #back = new Signal();
  readonly #log = new ClusterLog();
  readonly #recall: LogReplay;
  readonly #envelopes: Envelopes;
  readonly #inbox: Inbox;
  readonly #publisher: Publisher;
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
      take: (topic, body) => this.#receivers.tryToDeliver(topic, body, WITHOUT_POSITION),
      traces,
    });
    this.#publisher = new Publisher({
      member: this.member,
      envelopes,
      records,
      connect: () => (this.isConnected ? this.#connection : undefined),
      deliverHere: ({ topic, body }, name) => this.#receivers.tryToDeliver(topic, body, { name }),
      reportLoss: (dropped) => this.publish(LOSS, { dropped }),
    });
    this.#acknowledgements = new Acknowledgements({ bus: this, publisher: this.#publisher, waits });
    this.on(LOSS, () => this.#gaps.emit());
  }

  isMember(name: string): boolean {
    return this.#names.isOurs(name);
  }

  get isConnected(): boolean {
    return this.#connection?.isConnected === true;
  }

  get published(): EntryName {
    return this.#publisher.published;
  }

  get position(): ClusterPosition | undefined {
    return this.#connection?.position;
  }

  get stats(): ClusterStats {
    const [connection, publisher, envelopes] = [this.#connection, this.#publisher, this.#envelopes];
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
        // The buffer is no longer complete.
        this.#log.restart();
        this.#gaps.emit();
      },
      onConnection: (isConnected) => {
        if (!isConnected) return;
        void this.#publisher.flush();
        this.#back.emit();
      },
    });
    this.#log.begin(this.#connection.position);
    void this.#publisher.flush();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#publisher.drain();
    this.#publisher.close();
    await this.#connection?.close();
  }

  publish<Body extends object>({ name }: Topic<Body>, body: Body, change?: ClusterRecordChange): void {
    void this.#publisher.publish(name, body, change);
  }

  publishFlushed<Body extends object>(
    { name }: Topic<Body>,
    body: Body,
    change?: ClusterRecordChange,
  ): Promise<void> {
    return this.#publisher.publish(name, body, change);
  }

  flush(): Promise<boolean> {
    return this.#publisher.whenAppended();
  }

  acknowledged(): Promise<void> {
    return this.#acknowledgements.request();
  }

  on<Body extends object>(
    { name, isBody }: Topic<Body>,
    take: (body: Body, delivery: Delivery) => void,
  ): () => void {
    return this.#receivers.add(name, ignoreUnknown(isBody, take));
  }

  onStored<Body extends object>(
    { name, isBody }: Topic<Body>,
    take: (body: Body, delivery: Delivery) => void,
  ): () => void {
    return this.#storedReceivers.add(name, ignoreUnknown(isBody, take));
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
    return this.#recall.buffered(topic, after);
  }

  replayInParts<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
    reader?: string,
  ): AsyncGenerator<readonly LogEntry<Body>[]> {
    return this.#recall.inParts(topic, after, reader);
  }

  listPending<Body extends object>(topic: Topic<Body>): readonly PendingEntry<Body>[] {
    return this.#publisher.listPending(topic);
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
    this.#inbox.send(name, body);
    this.#receivers.tryToDeliver(name, body, WITHOUT_POSITION);
  }

  send<Body extends object>({ name }: Topic<Body>, body: Body, member?: string): void {
    this.#inbox.send(name, body, member);
  }

  async request<Body extends object, Reply>(
    { name }: Query<Body, Reply>,
    body: Body,
    member: string,
  ): Promise<Reply> {
    return (await this.#inbox.request(name, body, member)) as Reply;
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
    this.#inbox.respond(name, reply);
  }

  #take(read: ClusterEntry): void {
    const entry = readEntry(read, this.#envelopes);
    if (entry === undefined) return;
    const { topic, body, position, member, count } = entry;
    const wasDelivered = member === this.member && this.#publisher.takeBack(count);
    // The log may contain it twice, because the outcome of its publication was unknown or the backend's client resent it.
    if (this.#log.has(entry)) return;
    this.#log.add(entry, read.text.length);
    const receivers = wasDelivered ? this.#storedReceivers : this.#receivers;
    receivers.tryToDeliver(topic, body, { position, name: { member, count } });
  }

  #getConnection(): ClusterConnection {
    if (this.#connection !== undefined) return this.#connection;
    throw new Error('This process has not joined the others yet');
  }
}

/** The figures' sources. */
export interface StatsSources {
  /** Absent until this process joins. */
  readonly connection: ClusterConnection | undefined;
  readonly publisher: Pick<Publisher, 'waiting' | 'dropped'>;
  readonly envelopes: Pick<Envelopes, 'isReadable' | 'unreadable'>;
}

const NONE = { reconnections: 0, replayed: 0, gaps: 0 };

/** Collects statistics about the exchange between processes. */
export function gatherStats({ connection, publisher, envelopes }: StatsSources): ClusterStats {
  const { waiting, dropped } = publisher;
  const { isReadable, unreadable } = envelopes;
  const isConnected = connection?.isConnected === true;
  const failure = isConnected ? undefined : connection?.failure;
  const exchange = { isConnected, isReadable, unreadable, waiting, dropped };
  return { ...NONE, ...connection?.figures, ...exchange, ...(failure && { failure }) };
}
