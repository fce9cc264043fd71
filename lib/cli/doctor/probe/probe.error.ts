/** Is thrown where a server gives no answer of HTTP. */
export class ProbeError extends Error {
  override readonly name = 'ProbeError';

  constructor(
    /** What it did instead, to be put behind its name. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`The server ${reason}`, options);
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'refuses connections'],
  ['ECONNRESET', 'closed the connection without an answer'],
  ['EPIPE', 'closed the connection without an answer'],
  ['ENOTFOUND', 'has a name that DNS does not know'],
  ['EAI_AGAIN', 'has a name that DNS could not resolve'],
  ['EHOSTUNREACH', 'has no route to it'],
  ['ENETUNREACH', 'has no route to it'],
  ['ETIMEDOUT', 'did not take the connection in time'],
]);

/** Builds what says why there was no answer. */
export function buildProbeError(error: unknown, timeoutMs: number): ProbeError {
  if (error instanceof ProbeError) return error;
  const { name, code = '' } = error as Error & { readonly code?: string };
  const options = { cause: error };
  if (name === 'AbortError' || name === 'TimeoutError') {
    return new ProbeError(`did not answer within ${timeoutMs} ms`, options);
  }
  if (code.startsWith('HPE_')) return new ProbeError(`does not speak HTTP/1.1 (${code})`, options);
  return new ProbeError(REASONS.get(code) ?? `cannot be reached (${code === '' ? name : code})`, options);
}
