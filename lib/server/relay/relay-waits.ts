/** For how long this process waits for others, and for the engine, in milliseconds. Tests of what comes after such a wait shorten it. */
export class RelayWaits {
  /** What another process has to answer a question. */
  readonly answerMs: number = 5000;
  /** What other processes have to take from the log what this one published, before it goes on without them. */
  readonly heardMs: number = 1000;
  /** Between two tries to reach a process. */
  readonly retryMs: number = 250;
  /** For how long a process is asked that is counted and takes nothing: one that was killed is counted for a while. */
  readonly unheardMs: number = 15_000;
  /**
   * How long a process must be missing before it counts as gone: an engine that was emptied or moved knows living processes
   * only once they have come back to it.
   */
  readonly certainMs: number = 2000;
  /** Milliseconds in which an unreachable engine may come back before a client's POST fails. */
  readonly postMs: number = 2000;
  /** Milliseconds in which an unreachable engine may come back before the client's request for its stream fails. */
  readonly streamMs: number = 8000;
  /** Milliseconds between two reports to a process whose streams are read. */
  readonly reportMs: number = 3000;
}
