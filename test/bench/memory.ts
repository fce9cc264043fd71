export interface MemoryPlan {
  /** How often every row of a table is measured, in turn with the others. */
  rounds: number;
  /** Streams that are opened in each round, and stay open. */
  streams: number;
}
