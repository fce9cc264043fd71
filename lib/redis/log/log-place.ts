/** Where a process is in the log, and in what was sent to it. */
export interface LogPlace {
  readonly epoch: string;
  readonly number: number;
  /** The mark of the entry at the place. Absent if the place is before the first entry. */
  readonly mark: string | undefined;
}

/** What a pulse learned of Redis. */
export interface LogState extends LogPlace {
  /** The number of the newest message. */
  readonly message: number;
  /** The clock of Redis, in microseconds of the epoch. */
  readonly micros: number;
}

/** Reads what the script of a pulse gives. */
export function parseState(answer: unknown): LogState {
  const [epoch = '', number, mark = '', message, micros] = (answer as readonly unknown[]).map(String);
  return { epoch, mark, number: Number(number), message: Number(message), micros: Number(micros) };
}
