import { isEndpointMissing } from '../../lib/core/protocol/http-sse.js';
import { formatTimeoutHint } from './parse-timeout.js';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { makeLine } from '../visible-text.js';

const LONGEST_REASON = 300;

const PAGE =
  'The server returns a web page instead of JSON-RPC: check the path of its URL, and whether there is a login page or a proxy in front of it';

const NO_JSON = 'The server sent an unusable response: it is not JSON';

const NO_MESSAGE = 'The server sent an unusable response: it is not a JSON-RPC message';

/** A response that the official client rejected, as described by its error. */
interface UnusableResponse {
  readonly status: number | undefined;
  /** The response body. */
  readonly text: string;
  /** The official client's message. */
  readonly message: string;
}

/** Explains why the official client rejects a response, or receives none. Returns `undefined` for other errors. */
export function explainResponse(error: Error): string | undefined {
  return explainForm(error) ?? explainCode(error);
}

/** The official client passes on parser errors, whose messages quote the response. */
function explainForm({ name, message }: Error): string | undefined {
  if (name === 'SyntaxError') return NO_JSON;
  if (name === 'ZodError' || name === '$ZodError') return NO_MESSAGE;
  if (message.startsWith('SSE error: '))
    return `The server's event stream failed: ${cut(makeLine(message.slice('SSE error: '.length)))}`;
  const [, status, text = ''] = /^Error POSTing to endpoint \(HTTP (\d{3})\): ?(.*)$/s.exec(message) ?? [];
  return status === undefined ? undefined : explainStatus({ status: Number(status), text, message: text });
}

function explainCode(error: Error): string | undefined {
  const { code, data, message } = error as {
    readonly code?: unknown;
    readonly data?: unknown;
    readonly message: string;
  };
  if (typeof code !== 'string') return undefined;
  const facts = isObject(data) ? data : {};
  if (code === 'REQUEST_TIMEOUT') {
    const timeoutMs = Number(facts['timeout']);
    return `The server did not respond in time: ${formatTimeoutHint(timeoutMs > 0 ? timeoutMs : undefined)}`;
  }
  if (code === 'CONNECTION_CLOSED') return 'The server closed the connection before it responded';
  const said = findResponseError(error);
  if (said !== undefined) return `The server responds with ${said.status}: ${said.message}`;
  const { status = Number(/HTTP (\d{3})/.exec(message)?.[1]), text } = facts;
  return explainStatus({
    status: typeof status === 'number' && status > 0 ? status : undefined,
    text: typeof text === 'string' ? text : '',
    message,
  });
}

function explainStatus({ status, text, message }: UnusableResponse): string {
  // A common mistake is the URL of the application without the endpoint path.
  if (isEndpointMissing(status))
    return `Nothing serves MCP at this URL, which returns ${status}: check its path, which is often "/mcp"`;
  if (status !== undefined && status >= 500) {
    return `The server responds with ${status}${quoteText(text)}: check its log, or the log of the proxy in front of it`;
  }
  const [, type] = /Unexpected content type: ([\w./+-]+)/.exec(message) ?? [];
  if (type === 'text/html' || isPage(text)) return PAGE;
  if (type === 'null') return 'The server sent an unusable response: it has no "Content-Type"';
  if (type !== undefined) return `The server sent an unusable response: it is "${type}" instead of JSON`;
  // The official client puts its parser's issues into the message, after the method if it parsed a result.
  if (/^(?!Invalid result for )[^]*"code": "invalid_/.test(message)) return NO_MESSAGE;
  if (status !== undefined && text !== '')
    return `The server responds with ${status}: ${cut(makeLine(text))}`;
  return `The server sent an unusable response: ${cut(makeLine(message))}`;
}

function quoteText(text: string): string {
  const line = makeLine(text);
  return line === '' || isPage(text) ? '' : ` (${cut(line)})`;
}

function isPage(text: string): boolean {
  return /^\s*<(?:!doctype|html)/i.test(text);
}

/** The response may be an entire web page. */
function cut(line: string): string {
  return line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON)}…` : line;
}

const LONGEST_WORDS = 300;

/** Returns the status and the JSON-RPC error message of a response that the official client rejected. */
export function findResponseError(error: Error): { status: number; message: string } | undefined {
  const { data } = error as { readonly data?: unknown };
  const { status, text } = isObject(data) ? data : {};
  if (typeof status !== 'number' || typeof text !== 'string') return undefined;
  const message = readMessage(text);
  return message === undefined ? undefined : { status, message: makeLine(message).slice(0, LONGEST_WORDS) };
}

function readMessage(text: string): string | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    const error = isObject(answer) ? answer['error'] : undefined;
    return isObject(error) && typeof error['message'] === 'string' ? error['message'] : undefined;
  } catch {
    return undefined;
  }
}
