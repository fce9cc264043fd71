import type { ServerResponse } from 'node:http';
import type { MemoryBudget } from '../../../memory/memory-budget.js';
import type { MemoryHold } from '../../../memory/memory-hold.js';
import { onClientGone } from '../connections/on-client-gone.js';
import { HttpExchange } from '../http-exchange.js';
import { countQueuedBytes } from '../connections/unread-answers.js';

/** Bytes that may wait for a reader without being counted. */
const UNCOUNTED_BYTES = 65_536;

/** Counts the messages that wait for a slow reader as memory of the stream's opener. */
export class Backlog {
  #hold: MemoryHold | undefined;

  constructor(
    private readonly memory: MemoryBudget,
    private readonly response: ServerResponse,
  ) {}

  /** Tells whether more waits than goes without saying. */
  get isLong(): boolean {
    return countQueuedBytes(this.response) > UNCOUNTED_BYTES;
  }

  /** Counts what waits now, and tells whether there was room for it. */
  count(): boolean {
    if (this.#hold === undefined && !this.isLong) return true;
    this.#hold ??= this.#begin();
    const queued = countQueuedBytes(this.response);
    const hasRoom = this.#hold.tryAdd(queued - this.#hold.bytes);
    if (!hasRoom) this.#hold.resize(queued);
    return hasRoom;
  }

  #begin(): MemoryHold {
    const { response } = this;
    const hold = this.memory.hold(HttpExchange.find(response.req)?.owner ?? {}, 0, true);
    response.on('drain', () => hold.resize(countQueuedBytes(response)));
    onClientGone(response, () => hold.release());
    return hold;
  }
}
