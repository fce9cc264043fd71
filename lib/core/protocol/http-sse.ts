/** The media type of an event stream. */
const EVENT_STREAM = /^\s*text\/event-stream\s*(?:;|$)/i;

/** The statuses that a server that supports only HTTP+SSE returns for a Streamable HTTP POST. */
const REFUSALS: ReadonlySet<unknown> = new Set([400, 404, 405]);

/** The `endpoint` event comes first. A stream that starts with more data than this is not an HTTP+SSE stream. */
const LONGEST_BEGINNING = 64 * 1024;

/**
 * Returns whether a server whose POST response has this status may support only HTTP+SSE.
 *
 * @see MCP 2025-11-25 basic/transports, "Backwards Compatibility"
 */
export function mayBeHttpSse(status: unknown): boolean {
  return REFUSALS.has(status);
}

/**
 * Finds the URL for posting HTTP+SSE messages at the start of an event stream.
 *
 * @returns `undefined` if the stream has no such event yet, or names another origin
 * @see MCP 2024-11-05 basic/transports, "HTTP with SSE"
 */
export function findMessageEndpoint(text: string, url: URL): URL | undefined {
  const blocks = text.split(/(?:\r\n|\r|\n){2}/).slice(0, -1);
  const fields = blocks.map((block) => new Map(block.split(/\r\n|\r|\n/).map(parseField)));
  const place = fields.find((block) => block.get('event') === 'endpoint')?.get('data');
  if (place === undefined || !URL.canParse(place, url.href)) return undefined;
  const endpoint = new URL(place, url.href);
  return endpoint.origin === url.origin ? endpoint : undefined;
}

/**
 * Opens a server's HTTP+SSE event stream, and returns the URL for posting messages.
 *
 * @param send sends the request, and limits the time until the response starts
 * @param longestMs the time limit for the first event, in milliseconds
 * @returns `undefined` if the server does not support HTTP+SSE
 */
export async function requestMessageEndpoint(
  url: URL,
  send: typeof fetch,
  longestMs: number,
): Promise<URL | undefined> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), longestMs);
  try {
    const response = await send(url, { headers: { accept: 'text/event-stream' }, signal: over.signal });
    const isStream = response.ok && EVENT_STREAM.test(response.headers.get('content-type') ?? '');
    return isStream && response.body !== null ? await readEndpoint(response.body, url) : undefined;
  } catch {
    // Whatever failed here, the refused POST is the better explanation.
    return undefined;
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}

async function readEndpoint(body: ReadableStream<Uint8Array>, url: URL): Promise<URL | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const endpoint = findMessageEndpoint(text, url);
    if (endpoint !== undefined || text.length > LONGEST_BEGINNING) return endpoint;
  }
  return undefined;
}

/** One space after the colon belongs to the syntax (WHATWG HTML, "Server-sent events"). */
function parseField(line: string): readonly [name: string, value: string] {
  const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
  return [name, value];
}

/** Statuses of a POST at a path without an MCP endpoint. */
const NOWHERE: ReadonlySet<unknown> = new Set([404, 405, 410, 501]);

/** Returns whether a POST's status shows that there is no MCP endpoint. */
export function isEndpointMissing(status: unknown): boolean {
  return NOWHERE.has(status);
}
