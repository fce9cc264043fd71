import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { Keyring } from '../../core/sealing/keyring.js';
import type {
  Cluster,
  ClusterConnection,
  ClusterEntry,
  ClusterPosition,
  ClusterRecordChange,
  ClusterStats,
} from '../settings/cluster/cluster.interface.js';
import { Envelopes } from './envelopes.js';
import { gatherStats } from './gather-stats.js';
import { Hearing } from './hearing.js';
import { Inbox } from './inbox.js';
import { MemberNames } from './member-names.js';
import { Publisher } from './publisher.js';
import { RelayHistory } from './relay-history.js';
import { readEntry, RelayLog } from './relay-log.js';
import { LOSS, RelayRecall } from './relay-recall.js';
import { RelayWaits } from './relay-waits.js';
import { Relay, type Delivery, type MemberReply, type Recalled, type SharedState } from './relay.js';
import { SealedRecords } from './sealed-records.js';
import { SharedStateView } from './shared-state-view.js';
import { Signal } from './signal.js';
import { takeKnown, TopicTakers } from './topic-takers.js';
import type { Query, Topic } from './topic.js';
import type { TraceCarrier } from './trace-carrier.interface.js';

/** Tells that entries of the log are lost: before any later message, and after the entries that arrived with them. */
class GapSignals {
  readonly early = new Signal();
  readonly late = new Signal();

  tell(): void {
    this.early.tell();
    queueMicrotask(() => this.late.tell());
  }
}

const HERE: Delivery = Object.freeze({});

/** The relay of a server with several processes. Published messages go through their shared log, and come back from it. */
export class ClusterRelay extends Relay implements OnModuleInit, OnApplicationShutdown {
  readonly isShared = true;
  readonly member: string;
  readonly own: Publisher;
  readonly shared: SharedState;
  readonly #names: MemberNames;
  readonly #takers = new TopicTakers();
  readonly #placedTakers = new TopicTakers();
  readonly #gaps = new GapSignals();
  readonly #back = new Signal();
  readonly #log = new RelayLog();
  readonly #recall: RelayRecall;
  readonly #envelopes: Envelopes;
  readonly #inbox: Inbox;
  readonly #hearing: Hearing;
  #connection: ClusterConnection | undefined;

  constructor(
    private readonly cluster: Cluster,
    private readonly server: string,
    keyring: Keyring,
    traces?: TraceCarrier,
    waits = new RelayWaits(),
  ) {
    super();
    this.#names = new MemberNames(keyring, server);
    this.member = this.#names.create();
    const [envelopes, records] = [new Envelopes(keyring, server), new SealedRecords(keyring, server)];
    this.#envelopes = envelopes;
    const connect = () => this.#getConnection();
    const history = new RelayHistory(this.#log, new Envelopes(keyring, server), connect);
    this.#recall = new RelayRecall(this.#log, history);
    this.shared = new SharedStateView(connect, records, this.#names);
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
    this.#hearing = new Hearing({ relay: this, publisher: this.own, waits });
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
        this.#hearing.noteTaken();
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
        this.#back.tell();
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

  publishSettled<Body extends object>(
    { name }: Topic<Body>,
    body: Body,
    change?: ClusterRecordChange,
  ): Promise<void> {
    return this.own.publish(name, body, change);
  }

  settled(): Promise<boolean> {
    return this.own.settled();
  }

  heard(): Promise<void> {
    return this.#hearing.heard();
  }

  on<Body extends object>(
    { name, isBody }: Topic<Body>,
    take: (body: Body, delivery: Delivery) => void,
  ): () => void {
    return this.#takers.add(name, takeKnown(isBody, take));
  }

  onPlaced<Body extends object>(
    { name, isBody }: Topic<Body>,
    take: (body: Body, delivery: Delivery) => void,
  ): () => void {
    return this.#placedTakers.add(name, takeKnown(isBody, take));
  }

  recall<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
  ): Promise<readonly Recalled<Body>[] | undefined> {
    return this.#recall.all(topic, after);
  }

  recallKept<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
  ): readonly Recalled<Body>[] | undefined {
    return this.#recall.kept(topic, after);
  }

  recallInParts<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
    reader?: string,
  ): AsyncGenerator<readonly Recalled<Body>[]> {
    return this.#recall.inParts(topic, after, reader);
  }

  onGap(take: () => void): () => void {
    return this.#gaps.late.add(take);
  }

  onEarlyGap(take: () => void): () => void {
    return this.#gaps.early.add(take);
  }

  onReturn(take: () => void): () => void {
    return this.#back.add(take);
  }

  tellAll<Body extends object>({ name }: Topic<Body>, body: Body): void {
    this.#inbox.tell(name, body);
    this.#takers.tryToDeliver(name, body, HERE);
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

  async requestAll<Body extends object, Reply>(
    { name }: Query<Body, Reply>,
    body: Body,
  ): Promise<readonly MemberReply<Reply>[]> {
    const members = this.isConnected ? await this.shared.members().catch(() => []) : [];
    return (await this.#inbox.requestAll(name, body, members)) as readonly MemberReply<Reply>[];
  }

  answer<Body extends object, Reply>(
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
