/**
 * Bytes of heap that objects take, in addition to the text from clients. The figures were measured and rounded up;
 * `test/e2e/memory` holds them against the heap.
 */
export const HeapCost = {
  /** A request that runs: its HTTP exchange, its context, and what waits for its handler. */
  request: 16_384,
  /** Each further request of a batch, which shares the HTTP exchange. */
  batched: 6144,
  /** A session of a client that has shaken hands. */
  session: 2048,
  /** An event in the log of a session, with what is known of its stream. */
  event: 400,
  /** A resource that a session or a stream is subscribed to. */
  subscription: 160,
  /** A task, in the store and beside it. */
  task: 2048,
  /** A proof that was used, in a second of its own. */
  usedProof: 256,
  /** An event of the audit that somebody is about to keep, with the promise of that, besides its values. */
  audited: 1024,
  /** A subscription of a webhook. */
  webhook: 4096,
  /** Where the values of a caller are, or those behind a handle. */
  state: 1024,
  /** A value of these. */
  stateValue: 256,
} as const;
