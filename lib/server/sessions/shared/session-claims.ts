import { buildRecordOwner } from '../../relay/build-record-owner.js';
import type { Relay } from '../../relay/relay.js';
import type { Session } from '../session.js';
import type { BoundedState } from './bounded-state.js';
import { SESSION_CHANGE } from './session-change.js';
import { buildRecordKey, SessionField } from './session-record.js';

/** Gives sessions without an owner to their first callers with a token, each to one in all processes. */
export class SessionClaims {
  readonly #running = new Map<string, Promise<void>>();

  constructor(
    private readonly relay: Relay,
    private readonly state: BoundedState,
  ) {}

  /** Gives a session to a caller, and to no other. Returns `undefined` if there is nothing to wait for. */
  claim(session: Session, identity: string): Promise<void> | undefined {
    const { key, shared } = session;
    // This process knows the owner before the others do.
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const isSettled = shared === undefined || session.identity !== undefined || shared.owner !== undefined;
    if (isSettled || !this.state.isInReach) return undefined;
    const claimed = this.#claim(session, identity).finally(() => this.#running.delete(key));
    this.#running.set(key, claimed);
    return claimed;
  }

  async #claim(session: Session, identity: string): Promise<void> {
    const { key, shared, expires } = session;
    const owner = buildRecordOwner({ identity });
    const swap = { key: buildRecordKey(key), field: SessionField.owner, to: identity, expires, owner };
    const swapped = await this.state.swap(swap);
    if (swapped === undefined || shared === undefined) return;
    shared.owner = swapped.field;
    if (swapped.field !== identity) return;
    this.relay.publish(SESSION_CHANGE, { key, owner: identity });
    // From the answer on, no process serves it without the token.
    await this.relay.heard();
  }
}
