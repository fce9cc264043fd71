import { isObject } from '../../protocol/json-rpc.js';

/** What Node calls it when a connection was never made. */
const UNREACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/** What the official client calls it when a link fails under it. */
const LINK_CODES = new Set(['CONNECTION_CLOSED', 'NOT_CONNECTED', 'REQUEST_TIMEOUT', 'SEND_FAILED']);

/** Tells whether trying again later may help: the network, a server that is busy or starts, a process that ended. */
export function isTransient(error: unknown): boolean {
  if (isUnreached(error) || error instanceof TypeError) return true;
  if (!isObject(error)) return false;
  const { code, status } = error;
  const isBusy = typeof status === 'number' && (status === 429 || status >= 500);
  const isLinkFault = typeof code === 'string' && LINK_CODES.has(code);
  return isBusy || isLinkFault || isTransientCause(error);
}

function isTransientCause(error: { readonly [name: string]: unknown }): boolean {
  const { cause } = error;
  return cause !== undefined && cause !== error && isTransient(cause);
}

/** Tells whether a request surely did not come to its server, so that sending it again repeats nothing. */
export function isUnreached(error: unknown): boolean {
  for (let fault = error; isObject(fault) || fault instanceof Error; fault = (fault as Error).cause) {
    if (UNREACHED.has(String((fault as NodeJS.ErrnoException).code))) return true;
  }
  return false;
}
