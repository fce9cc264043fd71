import { randomBytes } from 'node:crypto';
import { Relay, type Delivery, type MemberReply } from './relay.js';
import { RelayError } from './relay.error.js';
import type { Query, Topic } from './topic.js';
import { TopicTakers } from './topic-takers.js';

type Reply = (body: never, member: string) => unknown;

const MEMBER_BYTES = 6;

const HERE: Delivery = Object.freeze({});

/** The relay of a server that is alone: what is published is delivered before `publish` returns. */
export class LocalRelay extends Relay {
  readonly isShared = false;
  readonly isConnected = true;
  readonly member = randomBytes(MEMBER_BYTES).toString('hex');
  readonly position = undefined;
  readonly own = { published: undefined, listUnplaced: () => [] };
  readonly shared = undefined;
  readonly stats = undefined;
  readonly #takers = new TopicTakers();
  readonly #replies = new Map<string, Reply>();

  /** There is nobody else. */
  isMember(name: string): boolean {
    return name === this.member;
  }

  publish<Body extends object>({ name }: Topic<Body>, body: Body): void {
    this.#takers.deliver(name, body, HERE);
  }

  tellAll<Body extends object>({ name }: Topic<Body>, body: Body): void {
    this.#takers.deliver(name, body, HERE);
  }

  publishSettled<Body extends object>(topic: Topic<Body>, body: Body): Promise<void> {
    this.publish(topic, body);
    return Promise.resolve();
  }

  /** What was published was delivered at once. */
  settled(): Promise<boolean> {
    return Promise.resolve(true);
  }

  /** There is nobody else. */
  heard(): Promise<void> {
    return Promise.resolve();
  }

  on<Body extends object>({ name }: Topic<Body>, take: (body: Body, delivery: Delivery) => void): () => void {
    return this.#takers.add(name, take);
  }

  /** Nothing gets a place later. */
  onPlaced(): () => void {
    return () => undefined;
  }

  /** Nothing that was published has a place. */
  recall(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  recallKept(): undefined {
    return undefined;
  }

  recallInParts(): AsyncIterable<never> {
    const next = () => Promise.reject(new RelayError('gone', 'A server that is alone has no log'));
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
  onReturn(): () => void {
    return () => undefined;
  }

  /** There is nobody else. */
  tell(): void {}

  ask<Body extends object, Answer>({ name }: Query<Body, Answer>): Promise<Answer> {
    return Promise.reject(
      new RelayError('unreachable', `There is no other process that could answer "${name}"`),
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

  answer<Body extends object, Answer>(
    { name }: Query<Body, Answer>,
    reply: (body: Body, member: string) => Answer | Promise<Answer>,
  ): void {
    this.#replies.set(name, reply);
  }
}
