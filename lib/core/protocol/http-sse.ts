/** The media type of an event stream. */
const EVENT_STREAM = /^\s*text\/event-stream\s*(?:;|$)/i;

/** The statuses with which a server refuses the POST of Streamable HTTP if it speaks only HTTP+SSE. */
const REFUSALS: ReadonlySet<unknown> = new Set([400, 404, 405]);

/** The event comes first. A stream that begins with more than this is another one. */
const LONGEST_BEGINNING = 64 * 1024;

/**
 * Tells whether a server that answers a POST with a status may speak only HTTP+SSE.
 *
 * @see MCP 2025-11-25 basic/transports, "Backwards Compatibility"
 */
export function mayBeHttpSse(status: unknown): boolean {
  return REFUSALS.has(status);
}

/**
 * Finds the URL to which the messages of HTTP+SSE are posted, in the beginning of an event stream.
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
 * Asks a server for its event stream, and returns the URL to which the messages of HTTP+SSE are posted.
 *
 * @param send sends the request, and bounds how long the answer may take to begin
 * @param longestMs milliseconds that the first event may take
 * @returns `undefined` if the server does not speak HTTP+SSE
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
    // Whatever is wrong here, the refusal of the POST says more.
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

/** One space behind the colon belongs to the syntax (WHATWG HTML, "Server-sent events"). */
function parseField(line: string): readonly [name: string, value: string] {
  const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
  return [name, value];
}
