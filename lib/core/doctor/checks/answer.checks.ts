import { isMediaType } from '../../protocol/headers/media-type.js';
import { servesNothing } from '../../protocol/serves-nothing.js';
import { findMessageEndpoint, mayBeHttpSse } from '../../protocol/http-sse.js';
import type { Check } from '../check.interface.js';
import { end, failure, ok, warning, type Outcome } from '../finding.js';
import type { McpAnswer, Target } from '../target.js';
import { ProbeError } from '../probe/probe.error.js';
import { quote } from '../quote.js';

const ANSWER_TYPES = ['application/json', 'text/event-stream'];

/** Whether what answers is a server of MCP at all. */
export const ANSWER_CHECKS: readonly Check[] = [
  { id: 'redirect', run: async (target) => checkRedirect(target, await target.initialize()) },
  { id: 'path', run: async (target) => checkPath(target, await target.initialize()) },
  { id: 'json-rpc', run: async (target) => checkJsonRpc(await target.initialize()) },
  { id: 'content-type', run: async (target) => checkContentType(await target.initialize()) },
];

function checkRedirect({ url }: Target, { status, headers }: McpAnswer): Outcome {
  if (status < 300 || status > 399) return ok('POST is answered at this URL');
  const { location = '' } = headers;
  const destination = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  const found = `POST is redirected with ${status} to ${quote(location)}`;
  const fix = `Give clients the URL that is meant, and examine that: ${quote(destination?.href ?? location)}`;
  const isUpgrade =
    url.protocol === 'http:' && destination?.protocol === 'https:' && destination.hostname === url.hostname;
  if (isUpgrade) return end(warning(found, fix));
  const loss = status === 307 || status === 308 ? 'clients need not follow' : 'the body is lost on the way';
  return end(failure(`${found}: ${loss}`, fix));
}

async function checkPath(target: Target, { status, response }: McpAnswer): Promise<Outcome> {
  const { url } = target;
  if (response === undefined && mayBeHttpSse(status) && (await speaksHttpSse(target))) {
    return end(
      warning(
        'The server speaks only HTTP+SSE, the transport of 2024-11-05',
        'Serve Streamable HTTP too: many clients no longer speak the older transport',
      ),
    );
  }
  if (response !== undefined || !servesNothing(status)) return ok(`${quote(url.pathname)} takes POST`);
  const fix =
    'Check the path: it is the option "mcpPath", "/mcp" by default, behind what a proxy puts before it';
  return end(failure(`POST to ${quote(url.pathname)} is answered with ${status}`, fix));
}

/** Clients of both transports ask so if a POST is refused. */
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

function checkJsonRpc(answer: McpAnswer): Outcome {
  const { status, response, isComplete, headers, body } = answer;
  if (response !== undefined) return ok('Answers are JSON-RPC');
  if (status === 401 || status === 403) return ok(`Answers ${status} before it reads the message`);
  if (!isComplete) {
    return end(
      failure(
        'The answer to "initialize" does not end',
        'Look for what holds it back: the server or a proxy',
      ),
    );
  }
  const isPage = isMediaType(headers['content-type'], ['text/html']) || /^\s*<(!doctype|html)/i.test(body);
  if (isPage && status < 400) {
    return end(
      failure(
        'A web page answers, such as a log-in',
        'Let the path pass by the log-in and the web application',
      ),
    );
  }
  if (status >= 500) {
    return end(
      failure(`Answers ${status} and no JSON-RPC`, 'Read the logs of the proxy and the server behind it'),
    );
  }
  const fix = 'Check that the path is that of the endpoint, and what stands before the server';
  return end(
    failure(`Answers ${status} with ${quote(headers['content-type'] ?? 'no type')} and no JSON-RPC`, fix),
  );
}

function checkContentType({ response, headers, status }: McpAnswer): Outcome | undefined {
  if (response === undefined) return undefined;
  const { 'content-type': type } = headers;
  if (isMediaType(type, ANSWER_TYPES)) return ok(`Answers come as ${quote(type)}`);
  // What refuses before the protocol is reached may have its own habits.
  const judge = status < 400 ? failure : warning;
  return judge(
    `JSON-RPC comes as ${quote(type ?? 'no type')}`,
    'Answer with "application/json" or "text/event-stream"',
  );
}
