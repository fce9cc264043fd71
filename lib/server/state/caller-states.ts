import type { OnApplicationShutdown } from '@nestjs/common';
import { OwnMetaKey } from '../../core/protocol/meta-keys.js';
import type { Sealer } from '../../core/sealing/sealer.js';
import type { CallerState, StateValues } from '../context/caller-state.interface.js';
import { StateError } from '../context/state.error.js';
import type { StateContext, StateSource } from '../context/state-source.interface.js';
import type { MemoryBudget } from '../memory/memory-budget.js';
import type { ClusterBus } from '../cluster/cluster-bus.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { StateOptions } from '../settings/state-options.js';
import { MemoryStateStore } from './memory-state-store.js';
import { PlaceValues } from './place-values.js';
import { SharedStateStore } from './shared-state-store.js';
import { StateHandles } from './state-handles.js';
import { buildHandlePlace, findCallerPlace, type StatePlace } from './state-place.js';
import { StateShares } from './state-shares.js';
import type { StateStore } from './state-store.interface.js';

/** The parts that create states of callers. */
interface StateParts {
  readonly store: StateStore;
  readonly handles: StateHandles;
  readonly bounds: Required<StateOptions>;
  /** Names this process. */
  readonly member: string;
}

/** Gives each request the state of the handle in its `_meta`, or else of its caller. */
export class CallerStates implements StateSource, OnApplicationShutdown {
  readonly #shares: StateShares;
  readonly #parts: StateParts;

  constructor(
    bus: ClusterBus,
    sealer: Sealer,
    memory: MemoryBudget,

    { state: bounds, mcpPath, keyring }: Pick<ServerSettings, 'state' | 'mcpPath' | 'keyring'>,
  ) {
    const { maxBytes } = bounds;
    this.#shares = new StateShares({
      memory,
      bounds,
      areHere: !bus.isShared,
      now: () => store.now,
      onEnd: (place) => void store.remove(place),
    });
    const store: StateStore = bus.isShared
      ? new SharedStateStore(bus, this.#shares, maxBytes, keyring)
      : new MemoryStateStore(this.#shares, maxBytes);
    this.#parts = { store, bounds, handles: new StateHandles(sealer, mcpPath), member: bus.member };
  }

  open(context: StateContext): CallerState {
    return new RequestState(this.#parts, context);
  }

  onApplicationShutdown(): void {
    this.#shares.close();
  }
}

/** The state of the caller of one request. */
class RequestState extends PlaceValues implements CallerState {
  readonly #parts: StateParts;
  readonly #context: StateContext;

  constructor(parts: StateParts, context: StateContext) {
    super(parts.store, parts.bounds, () => this.#getPlace());
    this.#parts = parts;
    this.#context = context;
  }

  get isKnown(): boolean {
    return this.#findPlace() !== undefined;
  }

  createHandle(): string {
    return this.#parts.handles.create(this.#context.identity);
  }

  open(handle: string): StateValues {
    const place = this.#findPlaceOf(handle);
    if (place === undefined) throw StateError.unknownHandle();
    const { store, bounds } = this.#parts;
    return new PlaceValues(store, bounds, () => place);
  }

  #getPlace(): StatePlace {
    const place = this.#findPlace();
    if (place !== undefined) return place;
    throw this.#sent === undefined ? StateError.unknownCaller() : StateError.unknownHandle();
  }

  #findPlace(): StatePlace | undefined {
    const sent = this.#sent;
    if (sent !== undefined) return this.#findPlaceOf(sent);
    return findCallerPlace(this.#context, this.#parts.member);
  }

  #findPlaceOf(handle: unknown): StatePlace | undefined {
    const id = this.#parts.handles.open(handle, this.#context.identity);
    return id === undefined ? undefined : buildHandlePlace(id, this.#context);
  }

  /** The handle that the request brings, if it brings one. */
  get #sent(): unknown {
    return this.#context.meta[OwnMetaKey.state];
  }
}
