import { Inject, Injectable } from '@nestjs/common';
import { SERVER_SETTINGS } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { SessionLimitError } from '../session-limit.error.js';
import { IdleOrder } from './idle-order.js';
import type { PlaceHolder } from './place-holder.interface.js';
import { isNotRunning, Strangers } from './strangers.js';

/**
 * Shares the places of a server out among callers. At each bound the longest idle makes room: a stranger, who brings no token, for
 * everybody, and whoever has most for others who bring one. Nobody who brings a token makes room for a stranger.
 */
@Injectable()
export class SessionPlaces {
  readonly #bounds: ServerSettings['sessions'];
  readonly #strangers = new Strangers();
  readonly #byAddress = new Map<string, IdleOrder>();
  readonly #byIdentity = new Map<string, IdleOrder>();
  #known = 0;

  constructor(@Inject(SERVER_SETTINGS) { sessions }: ServerSettings) {
    this.#bounds = sessions;
  }

  /**
   * Gives a place to a holder until it is {@link release}d.
   *
   * @throws {SessionLimitError} if there is none, and nobody is idle who would make room
   */
  take(holder: PlaceHolder): void {
    if (!this.#makeRoom(holder)) throw new SessionLimitError();
    this.#add(holder);
  }

  /** Makes a stranger's place that of a caller, which `bind` settles unless it cannot; tells whether it is. */
  pass(holder: PlaceHolder, identity: string, bind: () => boolean): boolean {
    if (!this.#makeOwnRoom(identity)) return false;
    const isHeld = this.release(holder);
    const isBound = bind();
    if (isHeld) this.#add(holder);
    return isBound;
  }

  /** Notes that a holder is used: others are idle for longer from now on. */
  use(holder: PlaceHolder): void {
    holder.use();
    const { identity, address } = holder;
    if (identity !== undefined) return this.#byIdentity.get(identity)?.renew(holder);
    this.#strangers.renew(holder);
    if (address !== undefined) this.#byAddress.get(address)?.renew(holder);
  }

  /** Takes a place back, and tells whether the holder had one. */
  release(holder: PlaceHolder): boolean {
    const { identity, address } = holder;
    if (identity !== undefined) {
      const isHeld = removeFrom(this.#byIdentity, identity, holder);
      if (isHeld) this.#known -= 1;
      return isHeld;
    }
    if (address !== undefined) removeFrom(this.#byAddress, address, holder);
    return this.#strangers.remove(holder);
  }

  /** Has the stranger that was idle longest make room, and tells whether there was one: one with a running request is not idle. */
  giveUpIdleStranger(): boolean {
    return giveUp(this.#strangers.findIdle());
  }

  #makeRoom({ identity, address }: PlaceHolder): boolean {
    if (identity !== undefined) return this.#makeOwnRoom(identity) && this.#makeRoomAmongAll();
    if (address !== undefined && !this.#makeRoomAt(address)) return false;
    const { maximumSessions, maximumAnonymousSessions } = this.#bounds;
    const hasRoom = this.#strangers.size < maximumAnonymousSessions && this.#size < maximumSessions;
    return hasRoom || this.giveUpIdleStranger();
  }

  /** A caller who brings a token has what it reads left: it may well be there still. */
  #makeOwnRoom(identity: string): boolean {
    const own = this.#byIdentity.get(identity);
    if (own === undefined || own.size < this.#bounds.maximumSessionsPerIdentity) return true;
    return giveUp(own.find(isIdle));
  }

  #makeRoomAt(address: string): boolean {
    const near = this.#byAddress.get(address);
    if (near === undefined || near.size < this.#bounds.maximumSessionsPerAddress) return true;
    return giveUp(near.find(isNotRunning));
  }

  #makeRoomAmongAll(): boolean {
    return this.#size < this.#bounds.maximumSessions || this.giveUpIdleStranger() || this.#giveUpOfMost();
  }

  /** Whoever has one place alone keeps it. */
  #giveUpOfMost(): boolean {
    let most: IdleOrder | undefined;
    for (const own of this.#byIdentity.values()) if (own.size > (most?.size ?? 1)) most = own;
    return giveUp(most?.find(isIdle) ?? most?.find(isNotRunning));
  }

  get #size(): number {
    return this.#known + this.#strangers.size;
  }

  #add(holder: PlaceHolder): void {
    const { identity, address } = holder;
    if (identity !== undefined) {
      this.#known += 1;
      return addTo(this.#byIdentity, identity, holder);
    }
    this.#strangers.add(holder);
    if (address !== undefined) addTo(this.#byAddress, address, holder);
  }
}

function isIdle({ isRunning, isRead }: PlaceHolder): boolean {
  return !isRunning && !isRead;
}

function giveUp(holder: PlaceHolder | undefined): boolean {
  holder?.giveUp();
  return holder !== undefined;
}

function addTo(orders: Map<string, IdleOrder>, name: string, holder: PlaceHolder): void {
  const order = orders.get(name) ?? new IdleOrder();
  order.add(holder);
  orders.set(name, order);
}

function removeFrom(orders: Map<string, IdleOrder>, name: string, holder: PlaceHolder): boolean {
  const order = orders.get(name);
  if (order?.remove(holder) !== true) return false;
  if (order.size === 0) orders.delete(name);
  return true;
}
