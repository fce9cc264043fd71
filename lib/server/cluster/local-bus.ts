import { randomBytes } from 'node:crypto';
import {
  ClusterBus,
  ClusterBusError,
  type Delivery,
  type MemberReply,
  type Query,
  type Topic,
} from './cluster-bus.js';
import { TopicSubscribers } from './topic-subscribers.js';

type Reply = (body: never, member: string) => unknown;

const MEMBER_BYTES = 6;

const WITHOUT_POSITION: Delivery = Object.freeze({});

/** The bus for a server without a cluster. Messages are delivered before `publish` returns. */
export class LocalBus extends ClusterBus {
  readonly isShared = false;
  readonly isConnected = true;
  readonly member = randomBytes(MEMBER_BYTES).toString('hex');
  readonly position = undefined;
  readonly published = undefined;
  readonly shared = undefined;
  readonly stats = undefined;
  readonly #receivers = new TopicSubscribers();
  readonly #replies = new Map<string, Reply>();

  /** There are no other processes. */
  isMember(name: string): boolean {
    return name === this.member;
  }

  publish<Body extends object>({ name }: Topic<Body>, body: Body): void {
    this.#receivers.deliver(name, body, WITHOUT_POSITION);
  }

  broadcast<Body extends object>({ name }: Topic<Body>, body: Body): void {
    this.#receivers.deliver(name, body, WITHOUT_POSITION);
  }

  publishFlushed<Body extends object>(topic: Topic<Body>, body: Body): Promise<void> {
    this.publish(topic, body);
    return Promise.resolve();
  }

  /** Messages were delivered immediately. */
  flush(): Promise<boolean> {
    return Promise.resolve(true);
  }

  /** There are no other processes. */
  acknowledged(): Promise<void> {
    return Promise.resolve();
  }

  on<Body extends object>({ name }: Topic<Body>, take: (body: Body, delivery: Delivery) => void): () => void {
    return this.#receivers.add(name, take);
  }

  /** Messages never receive a position. */
  onStored(): () => void {
    return () => undefined;
  }

  /** Messages have no position. */
  replay(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  replayBuffered(): undefined {
    return undefined;
  }

  replayInParts(): AsyncIterable<never> {
    const next = () => Promise.reject(new ClusterBusError('gone', 'A standalone server has no log'));
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }

  /** Messages never wait for a log. */
  listPending(): readonly never[] {
    return [];
  }

  /** Messages cannot be lost. */
  onGap(): () => void {
    return () => undefined;
  }

  onEarlyGap(): () => void {
    return () => undefined;
  }

  /** There are no other processes to reconnect. */
  onReconnect(): () => void {
    return () => undefined;
  }

  /** There are no other processes. */
  send(): void {}

  request<Body extends object, Answer>({ name }: Query<Body, Answer>): Promise<Answer> {
    return Promise.reject(
      new ClusterBusError('unreachable', `There is no other process to respond to "${name}"`),
    );
  }

  async requestAll<Body extends object, Answer>(
    { name }: Query<Body, Answer>,
    body: Body,
  ): Promise<readonly MemberReply<Answer>[]> {
    const reply = this.#replies.get(name);
    if (reply === undefined) return [];
    return [{ member: this.member, reply: (await reply(body as never, this.member)) as Answer }];
  }

  respond<Body extends object, Answer>(
    { name }: Query<Body, Answer>,
    reply: (body: Body, member: string) => Answer | Promise<Answer>,
  ): void {
    this.#replies.set(name, reply);
  }
}
