/** How messages arrive. HTTP+SSE counts as HTTP; `in-process` is a client in the same process. */
export type TransportKind = 'http' | 'stdio' | 'in-process';

/** The properties of a connection that reveal its transport. */
interface Carrier {
  readonly http?: object | undefined;
  readonly isPipe?: boolean | undefined;
}

/** Returns a connection's transport. */
export function selectTransport({ http, isPipe }: Carrier): TransportKind {
  if (http !== undefined) return 'http';
  return isPipe === true ? 'stdio' : 'in-process';
}
