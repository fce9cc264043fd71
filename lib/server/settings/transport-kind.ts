/** How messages come. HTTP+SSE is HTTP too; `in-process` is a client of the same process. */
export type TransportKind = 'http' | 'stdio' | 'in-process';

/** What carries messages, as far as it tells how they come. */
interface Carrier {
  readonly http?: object | undefined;
  readonly isPipe?: boolean | undefined;
}

/** Says how messages come by what carries them. */
export function selectTransport({ http, isPipe }: Carrier): TransportKind {
  if (http !== undefined) return 'http';
  return isPipe === true ? 'stdio' : 'in-process';
}
