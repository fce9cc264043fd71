/** How a server says that it is busy. */
export interface BusyAnswer {
  readonly status: number;
  /** Milliseconds after which it wants to be asked again. */
  readonly retryAfterMs: number | undefined;
}

/** Is the reason where a server is busy while it is connected to. */
export class ServerBusyError extends Error {
  override readonly name = 'ServerBusyError';
  readonly status: number;
  readonly retryAfterMs: number | undefined;

  constructor({ status, retryAfterMs }: BusyAnswer, cause: unknown) {
    super(`The server answered with status ${status}`, { cause });
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Gives after how many milliseconds a server that is busy wants to be asked again; nothing where it does not say, or is not. */
export function findRetryAfter(error: unknown): number | undefined {
  return error instanceof ServerBusyError ? error.retryAfterMs : undefined;
}
