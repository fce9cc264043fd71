import { ProbeError } from '../../../lib/core/doctor/probe/probe-wire.js';

const CUT = 'closed the connection before the response was complete';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'refuses connections'],
  ['ECONNRESET', CUT],
  ['EPIPE', CUT],
  ['UND_ERR_SOCKET', CUT],
  ['ENOTFOUND', 'has a host name that does not exist in DNS'],
  ['EAI_AGAIN', 'has a host name that DNS could not resolve'],
  ['EHOSTUNREACH', 'has an address that is unreachable from this machine'],
  ['ENETUNREACH', 'has an address that is unreachable from this machine'],
  ['ETIMEDOUT', 'did not accept the connection in time'],
  ['UND_ERR_CONNECT_TIMEOUT', 'did not accept the connection in time'],
  ['CERT_HAS_EXPIRED', 'has an expired certificate'],
  ['CERT_NOT_YET_VALID', "has a certificate that is not valid yet, according to this machine's clock"],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'has a certificate for a different host name'],
]);

/** OpenSSL's errors for a plaintext response. Their codes in Node vary. */
const NO_TLS = /wrong version number|packet length too long/;

/** Node's codes for certificates that no trusted CA has signed. */
const UNTRUSTED = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_[A-Z_]+)$/;

/** Builds the error that explains why there was no response. */
export function buildProbeError(error: unknown, timeoutMs: number): ProbeError {
  if (error instanceof ProbeError) return error;
  return new ProbeError(findReason(error as Error, timeoutMs), { cause: error });
}

function findReason({ name, code = '', message }: NodeJS.ErrnoException, timeoutMs: number): string {
  if (name === 'AbortError' || name === 'TimeoutError') return `did not respond within ${timeoutMs} ms`;
  if (code.startsWith('HPE_')) return `does not speak HTTP/1.1 (${code})`;
  if (NO_TLS.test(message)) return 'does not support TLS: try the URL with "http:"';
  if (UNTRUSTED.test(code)) {
    return `has a certificate that is not trusted (${code}): if a private CA issued it, set NODE_EXTRA_CA_CERTS`;
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return `failed the TLS handshake (${code})`;
  return REASONS.get(code) ?? `cannot be reached (${code === '' ? name : code})`;
}
