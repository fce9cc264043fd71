import { ProbeError } from '../../../lib/core/doctor/probe/probe-wire.js';

const CUT = 'closed the connection before its answer was whole';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'refuses connections'],
  ['ECONNRESET', CUT],
  ['EPIPE', CUT],
  ['UND_ERR_SOCKET', CUT],
  ['ENOTFOUND', 'has a name that DNS does not know'],
  ['EAI_AGAIN', 'has a name that DNS could not resolve'],
  ['EHOSTUNREACH', 'has no route to it'],
  ['ENETUNREACH', 'has no route to it'],
  ['ETIMEDOUT', 'did not take the connection in time'],
  ['UND_ERR_CONNECT_TIMEOUT', 'did not take the connection in time'],
  ['CERT_HAS_EXPIRED', 'has a certificate that has expired'],
  ['CERT_NOT_YET_VALID', 'has a certificate that is not valid yet by the clock of this machine'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'has a certificate of another name'],
]);

/** What OpenSSL says of an answer in plain text, whatever Node makes its code. */
const NO_TLS = /wrong version number|packet length too long/;

/** What Node calls certificates that no authority it knows has signed. */
const UNTRUSTED = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_[A-Z_]+)$/;

/** Builds what says why there was no answer. */
export function buildProbeError(error: unknown, timeoutMs: number): ProbeError {
  if (error instanceof ProbeError) return error;
  return new ProbeError(findReason(error as Error, timeoutMs), { cause: error });
}

function findReason({ name, code = '', message }: NodeJS.ErrnoException, timeoutMs: number): string {
  if (name === 'AbortError' || name === 'TimeoutError') return `did not answer within ${timeoutMs} ms`;
  if (code.startsWith('HPE_')) return `does not speak HTTP/1.1 (${code})`;
  if (NO_TLS.test(message)) return 'speaks no TLS: try its URL with "http:"';
  if (UNTRUSTED.test(code)) {
    return `has a certificate that is not trusted (${code}): for an authority of your own set NODE_EXTRA_CA_CERTS`;
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return `comes to no terms on TLS (${code})`;
  return REASONS.get(code) ?? `cannot be reached (${code === '' ? name : code})`;
}
