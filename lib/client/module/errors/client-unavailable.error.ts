import { listCauses } from '../connection/list-causes.js';
import { McpClientError } from './mcp-client.error.js';

/** Facts about a connection that did not come about. */
export interface MissingConnection {
  /** The URL or the command of the server. */
  readonly server: string;
  /** Milliseconds that the call waited. */
  readonly waitedMs: number;
  /** What the last attempt failed with; absent if the first one still runs. */
  readonly cause: unknown;
}

/** Is thrown if the server could not be reached within the time that a call waits. The message says why. */
export class McpClientUnavailableError extends McpClientError {
  override readonly name = 'McpClientUnavailableError';
  readonly code = 'client_unavailable';
  /** Milliseconds that the call waited. */
  readonly waitedMs: number;

  constructor(client: string, { server, waitedMs, cause }: MissingConnection) {
    super(
      client,
      `The client "${client}" has no connection to ${server} after ${waitedMs} ms: ${explainMissing(cause)}, call again later, or let calls wait longer ("reconnect.waitMs")`,
      { cause },
    );
    this.waitedMs = waitedMs;
  }
}

const ADDRESS = 'check the host and the port of its URL';
const NETWORK = 'check the network, and firewalls on the way';
const CUT = 'the connection was closed before an answer was whole: see the log of the server';

/** What a code of the system or of `fetch` means, and what to do. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', `nothing listens there: start the server, ${ADDRESS}`],
  ['ENOTFOUND', 'DNS does not know the host: check the host of its URL'],
  ['EAI_AGAIN', `DNS does not answer: ${NETWORK}`],
  ['EHOSTUNREACH', `there is no route to it: ${NETWORK}`],
  ['ENETUNREACH', `there is no route to it: ${NETWORK}`],
  ['ETIMEDOUT', `the connection was not accepted in time: ${NETWORK}`],
  ['UND_ERR_CONNECT_TIMEOUT', `the connection was not accepted in time: ${NETWORK}`],
  ['ECONNRESET', CUT],
  ['EPIPE', CUT],
  ['UND_ERR_SOCKET', CUT],
  ['CERT_HAS_EXPIRED', 'its certificate has expired: renew it'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another host: check the host of its URL'],
  ['EPROTO', 'it does not speak TLS as expected: check the scheme of its URL'],
  ['REQUEST_TIMEOUT', 'the server did not answer in time: see its log'],
  ['CONNECTION_CLOSED', 'the connection was closed: see the log of the server'],
]);

/** How the codes of certificates begin that no known authority has signed. */
const UNTRUSTED = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/;

/** A code of the system, of TLS or of `fetch`. */
const SYSTEM_CODE =
  /^(?:E[A-Z0-9]+|EAI_\w+|UND_ERR_\w+|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+|HPE_\w+)$/;

/** Of a text that may be that of a server. */
const LONGEST = 200;

function explainMissing(cause: unknown): string {
  const faults = listCauses(cause);
  const codes = faults.map(({ code }) => code).filter((code) => typeof code === 'string');
  const code = codes.find((one) => SYSTEM_CODE.test(one)) ?? codes.find((one) => REASONS.has(one));
  if (code !== undefined) return explainCode(code);
  const status = faults.map((fault) => fault.status).find((one) => typeof one === 'number');
  if (status !== undefined) return `the server answers with status ${status}: see its log`;
  const { message } = faults.at(-1) ?? {};
  return typeof message === 'string' && message !== '' ? message.slice(0, LONGEST) : 'no answer has come yet';
}

function explainCode(code: string): string {
  if (UNTRUSTED.test(code)) {
    return `${code}, its certificate is not trusted: for an authority of your own set NODE_EXTRA_CA_CERTS`;
  }
  const reason = REASONS.get(code);
  return reason === undefined ? `${code}: see "cause"` : `${code}, ${reason}`;
}
