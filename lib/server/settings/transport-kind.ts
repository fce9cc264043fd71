/** How messages come. HTTP+SSE is HTTP too; `in-process` is a client of the same process. */
export type TransportKind = 'http' | 'stdio' | 'in-process';
