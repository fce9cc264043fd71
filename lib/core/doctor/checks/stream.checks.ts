import { isMediaType } from '../../protocol/headers/http-headers.js';
import { type Check, failure, ok, type Outcome, quote, warning } from '../finding.js';
import type { Target } from '../target.js';
import { ProbeError, type ProbeResponse, RedirectedError } from '../probe/probe-wire.js';

const UNBUFFERED =
  'Have the proxy forward event streams without buffering or compression: "proxy_buffering off" or "X-Accel-Buffering: no" in nginx';

/** Whether events arrive as they are sent. */
export const STREAM_CHECKS: readonly Check[] = [
  { id: 'stream', run: async (target) => judgeStream(await target.stream()) },
  { id: 'stream-first-byte', run: async (target) => judgeFirstByte(target, await target.stream()) },
  { id: 'stream-compression', run: async (target) => judgeCompression(await target.stream()) },
];

function judgeStream(stream: ProbeResponse | ProbeError | undefined): Outcome | undefined {
  if (isRedirected(stream)) {
    return failure(
      'GET in the session is redirected; the redirect was not followed, because the token is only for this URL',
      'Respond to GET at the endpoint URL, or with 405',
    );
  }
  if (stream === undefined || stream instanceof ProbeError) return undefined;
  const { status, headers } = stream;
  if (status === 405) return ok('The server offers no standalone SSE stream');
  if (status !== 200) {
    return failure(`GET in the session returns ${status}`, 'Open the event stream, or respond with 405');
  }
  if (isMediaType(headers['content-type'], ['text/event-stream']))
    return ok('GET opens the standalone SSE stream');
  const type = quote(headers['content-type'] ?? 'no type');
  return failure(`GET returns 200 and ${type}`, 'Respond with "text/event-stream", or with 405');
}

function judgeFirstByte(target: Target, stream: ProbeResponse | ProbeError | undefined): Outcome | undefined {
  const { timeoutMs } = target.options;
  if (isRedirected(stream)) return undefined;
  if (stream instanceof ProbeError)
    return failure(`The stream does not open: the server ${stream.reason}`, UNBUFFERED);
  if (!isEventStream(stream)) return undefined;
  if (stream.body !== '') return ok('The first bytes arrive immediately');
  if (stream.isComplete)
    return warning(
      'The standalone SSE stream ends immediately',
      'Leave it open: clients reconnect immediately',
    );
  return warning(
    `The stream opens, but nothing arrives within ${timeoutMs} ms`,
    `${UNBUFFERED}; send keep-alive comments`,
  );
}

function judgeCompression(stream: ProbeResponse | ProbeError | undefined): Outcome | undefined {
  if (stream instanceof ProbeError || !isEventStream(stream)) return undefined;
  const { 'content-encoding': encoding = 'identity' } = stream.headers;
  if (encoding === 'identity') return ok('The stream is not compressed');
  return failure(
    `The stream is compressed (${quote(encoding)}), which holds events back`,
    'Exclude "text/event-stream" from compression, or send "Cache-Control: no-transform"',
  );
}

function isRedirected(stream: ProbeResponse | ProbeError | undefined): boolean {
  if (stream instanceof ProbeError) return stream instanceof RedirectedError;
  return stream !== undefined && stream.status >= 300 && stream.status < 400;
}

function isEventStream(stream: ProbeResponse | undefined): stream is ProbeResponse {
  return stream?.status === 200 && isMediaType(stream.headers['content-type'], ['text/event-stream']);
}
