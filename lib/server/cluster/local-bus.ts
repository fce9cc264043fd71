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

const HERE: Delivery = Object.freeze({});

/** The bus of a server that is alone: what is published is delivered before `publish` returns. */
export class LocalBus extends ClusterBus {
  readonly isShared = false;
  readonly isConnected = true;
  readonly member = randomBytes(MEMBER_BYTES).toString('hex');
  readonly position = undefined;
  readonly own = { published: undefined, listPending: () => [] };
  readonly shared = undefined;
  readonly stats = undefined;
  readonly #takers = new TopicSubscribers();
  readonly #replies = new Map<string, Reply>();

  /** There is nobody else. */
  isMember(name: string): boolean {
    return name === this.member;
  }

  publish<Body extends object>({ name }: Topic<Body>, body: Body): void {
    this.#takers.deliver(name, body, HERE);
  }

  broadcast<Body extends object>({ name }: Topic<Body>, body: Body): void {
    this.#takers.deliver(name, body, HERE);
  }

  publishFlushed<Body extends object>(topic: Topic<Body>, body: Body): Promise<void> {
    this.publish(topic, body);
    return Promise.resolve();
  }

  /** What was published was delivered at once. */
  flush(): Promise<boolean> {
    return Promise.resolve(true);
  }

  /** There is nobody else. */
  acknowledged(): Promise<void> {
    return Promise.resolve();
  }

  on<Body extends object>({ name }: Topic<Body>, take: (body: Body, delivery: Delivery) => void): () => void {
    return this.#takers.add(name, take);
  }

  /** Nothing gets a place later. */
  onStored(): () => void {
    return () => undefined;
  }

  /** Nothing that was published has a place. */
  replay(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  replayBuffered(): undefined {
    return undefined;
  }

  replayInParts(): AsyncIterable<never> {
    const next = () => Promise.reject(new ClusterBusError('gone', 'A server that is alone has no log'));
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }

  /** Nothing gets lost on the way. */
  onGap(): () => void {
    return () => undefined;
  }

  onEarlyGap(): () => void {
    return () => undefined;
  }

  /** Nobody is ever away. */
  onReconnect(): () => void {
    return () => undefined;
  }

  /** There is nobody else. */
  send(): void {}

  request<Body extends object, Answer>({ name }: Query<Body, Answer>): Promise<Answer> {
    return Promise.reject(
      new ClusterBusError('unreachable', `There is no other process that could answer "${name}"`),
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
