/** How far a process has read the log. */
export interface LogPlace {
  readonly epoch: string;
  readonly number: number;
  /** The mark of the entry at the place. Absent if the place is before the first entry. */
  readonly mark: string | undefined;
}

/** What Redis answers to a sign of life. */
export interface LogState extends LogPlace {
  /** The number of the newest message. */
  readonly message: number;
  /** The time by the clock of Redis, in microseconds of the epoch. */
  readonly micros: number;
}

/** Reads the answer to a sign of life. */
export function parseState(answer: unknown): LogState {
  const [epoch = '', number, mark = '', message, micros] = (answer as readonly unknown[]).map(String);
  return { epoch, mark, number: Number(number), message: Number(message), micros: Number(micros) };
}
