import { Injectable } from '@nestjs/common';
import { isObject } from '../../core/protocol/json-rpc.js';
import type { RequestContext } from '../context/request-context.js';
import { AREAS, LIST_CHANGED } from './list-changed.js';
import type { SubscriptionFilter } from './listener-registry.js';

/** A member of a `subscriptions/listen` filter that no revision defines. */
export interface AddedSubscription {
  readonly filter: string;
  /** Gives what is honoured of what was asked for, or `undefined` for nothing. */
  honour(asked: unknown, context: RequestContext): unknown;
  /** Begins to send; gives what ends it. */
  open(
    honoured: unknown,
    send: (method: string, params: object) => void,
    context: RequestContext,
  ): () => void;
}

/** What one `subscriptions/listen` was granted. */
export interface Grant {
  readonly subscription: AddedSubscription;
  readonly honoured: unknown;
}

/** What revisions define. */
const OWN: ReadonlySet<string> = new Set<keyof SubscriptionFilter>([
  ...AREAS.map((area) => LIST_CHANGED[area].filter),
  'resourceSubscriptions',
]);

/** What extensions let clients listen to. */
@Injectable()
export class AddedSubscriptions {
  readonly #subscriptions: AddedSubscription[] = [];

  get isEmpty(): boolean {
    return this.#subscriptions.length === 0;
  }

  /** Tells whether clients can ask for a member of a filter. */
  has(filter: string): boolean {
    return OWN.has(filter) || this.#subscriptions.some((subscription) => subscription.filter === filter);
  }

  add(subscription: AddedSubscription): void {
    this.#subscriptions.push(subscription);
  }

  /** Grants what is honoured of what a client asked for. */
  async grant(filter: unknown, context: RequestContext): Promise<readonly Grant[]> {
    const grants: Grant[] = [];
    for (const subscription of this.#subscriptions) {
      const asked = isObject(filter) ? filter[subscription.filter] : undefined;
      const honoured = asked === undefined ? undefined : await subscription.honour(asked, context);
      if (honoured !== undefined) grants.push({ subscription, honoured });
    }
    return grants;
  }
}
