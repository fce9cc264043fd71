import { nameAccount } from '../../memory/name-account.js';
import { EventError } from './event.error.js';

/** Bounds the webhooks of each caller, including those that are about to begin. A webhook that is held twice takes one place. */
export class WebhookPlaces {
  /** By caller: how often each webhook is held. */
  readonly #held = new Map<string, Map<string, number>>();

  constructor(private readonly most: number) {}

  /** @throws {EventError} -32013 if the caller has as many as there may be */
  hold(identity: string, id: string): void {
    const caller = nameAccount(identity);
    const own = this.#held.get(caller) ?? new Map<string, number>();
    const times = own.get(id) ?? 0;
    if (times === 0 && own.size >= this.most) throw EventError.tooManySubscriptions(this.most);
    this.#held.set(caller, own.set(id, times + 1));
  }

  release(identity: string, id: string): void {
    const caller = nameAccount(identity);
    const own = this.#held.get(caller);
    const times = own?.get(id) ?? 0;
    if (times > 1) own?.set(id, times - 1);
    else own?.delete(id);
    if (own?.size === 0) this.#held.delete(caller);
  }
}
