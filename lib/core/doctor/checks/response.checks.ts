import { isMediaType } from '../../protocol/headers/http-headers.js';
import { findMessageEndpoint, isEndpointMissing, mayBeHttpSse } from '../../protocol/http-sse.js';
import { type Check, end, failure, ok, type Outcome, quote, warning } from '../finding.js';
import type { McpResponse, Target } from '../target.js';
import { ProbeError } from '../probe/probe-wire.js';

const ANSWER_TYPES = ['application/json', 'text/event-stream'];

/** Whether an MCP server responds at all. */
export const RESPONSE_CHECKS: readonly Check[] = [
  { id: 'redirect', run: async (target) => checkRedirect(target, await target.initialize()) },
  { id: 'path', run: async (target) => checkPath(target, await target.initialize()) },
  { id: 'json-rpc', run: async (target) => checkJsonRpc(await target.initialize()) },
  { id: 'content-type', run: async (target) => checkContentType(await target.initialize()) },
];

function checkRedirect({ url }: Target, { status, headers }: McpResponse): Outcome {
  if (status < 300 || status > 399) return ok('The server responds to POST at this URL');
  const { location = '' } = headers;
  const destination = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  const found = `POST is redirected with ${status} to ${quote(location)}`;
  const fix = `Give clients the target URL, and examine it instead: ${quote(destination?.href ?? location)}`;
  const isUpgrade =
    url.protocol === 'http:' && destination?.protocol === 'https:' && destination.hostname === url.hostname;
  if (isUpgrade) return end(warning(found, fix));
  const loss = status === 307 || status === 308 ? 'clients need not follow' : 'the body is lost';
  return end(failure(`${found}: ${loss}`, fix));
}

async function checkPath(target: Target, { status, response }: McpResponse): Promise<Outcome> {
  const { url } = target;
  if (response === undefined && mayBeHttpSse(status) && (await speaksHttpSse(target))) {
    return end(
      warning(
        'The server supports only HTTP+SSE, the 2024-11-05 transport',
        'Serve Streamable HTTP too: many clients have dropped the older transport',
      ),
    );
  }
  if (response !== undefined || !isEndpointMissing(status)) return ok(`${quote(url.pathname)} accepts POST`);
  const fix = 'Check the path: the option "mcpPath" ("/mcp" by default), after any prefix that a proxy adds';
  return end(failure(`POST to ${quote(url.pathname)} returns ${status}`, fix));
}

/** Clients of both transports try this if a POST is refused. */
async function speaksHttpSse(target: Target): Promise<boolean> {
  const headers = { accept: 'text/event-stream' };
  const isEnough = (body: string) => findMessageEndpoint(body, target.url) !== undefined;
  try {
    const { status, body } = await target.request({ method: 'GET', headers, isEnough });
    return status === 200 && isEnough(body);
  } catch (error) {
    if (error instanceof ProbeError) return false;
    throw error;
  }
}

function checkJsonRpc(answer: McpResponse): Outcome {
  const { status, response, isComplete, headers, body } = answer;
  if (response !== undefined) return ok('Responses are JSON-RPC');
  if (status === 401 || status === 403) return ok(`Responds with ${status} before it reads the message`);
  if (!isComplete) {
    return end(
      failure(
        'The response to "initialize" does not end',
        'Find out whether the server or a proxy holds it back',
      ),
    );
  }
  const isPage = isMediaType(headers['content-type'], ['text/html']) || /^\s*<(!doctype|html)/i.test(body);
  if (isPage && status < 400) {
    return end(
      failure(
        'The response is a web page, such as a login form',
        'Route the path around the login and the web application',
      ),
    );
  }
  if (status >= 500) {
    return end(
      failure(
        `Responds with ${status} and no JSON-RPC`,
        'Check the logs of the proxy and of the server behind it',
      ),
    );
  }
  const fix = 'Check the endpoint path and any proxy in front of the server';
  return end(
    failure(`Responds with ${status}, ${quote(headers['content-type'] ?? 'no type')} and no JSON-RPC`, fix),
  );
}

function checkContentType({ response, headers, status }: McpResponse): Outcome | undefined {
  if (response === undefined) return undefined;
  const { 'content-type': type } = headers;
  if (isMediaType(type, ANSWER_TYPES)) return ok(`Responses have the type ${quote(type)}`);
  // Components that refuse a request before it reaches the protocol may have their own format.
  const judge = status < 400 ? failure : warning;
  return judge(
    `JSON-RPC is sent as ${quote(type ?? 'no type')}`,
    'Respond with "application/json" or "text/event-stream"',
  );
}
