import { isMediaType } from '../../protocol/headers/media-type.js';
import type { Check } from '../check.interface.js';
import { failure, ok, warning, type Outcome } from '../finding.js';
import type { Target } from '../target.js';
import type { ProbeAnswer } from '../probe/probe-wire.interface.js';
import { ProbeError, RedirectedError } from '../probe/probe.error.js';
import { quote } from '../quote.js';

const UNBUFFERED =
  'Let the proxy pass event streams on at once: "proxy_buffering off" or "X-Accel-Buffering: no" in nginx, no compression';

/** Whether events come through as they are sent. */
export const STREAM_CHECKS: readonly Check[] = [
  { id: 'stream', run: async (target) => judgeStream(await target.stream()) },
  { id: 'stream-first-byte', run: async (target) => judgeFirstByte(target, await target.stream()) },
  { id: 'stream-compression', run: async (target) => judgeCompression(await target.stream()) },
];

function judgeStream(stream: ProbeAnswer | ProbeError | undefined): Outcome | undefined {
  if (isRedirected(stream)) {
    return failure(
      'GET in the session is redirected, which was not followed: the token is for this URL alone',
      'Answer GET at the URL of the endpoint, or with 405',
    );
  }
  if (stream === undefined || stream instanceof ProbeError) return undefined;
  const { status, headers } = stream;
  if (status === 405) return ok('The server offers no standing stream');
  if (status !== 200) {
    return failure(`GET in the session is answered with ${status}`, 'Open the event stream, or answer 405');
  }
  if (isMediaType(headers['content-type'], ['text/event-stream'])) return ok('GET opens the standing stream');
  const type = quote(headers['content-type'] ?? 'no type');
  return failure(`GET is answered with 200 and ${type}`, 'Answer with "text/event-stream", or with 405');
}

function judgeFirstByte(target: Target, stream: ProbeAnswer | ProbeError | undefined): Outcome | undefined {
  const { timeoutMs } = target.options;
  if (isRedirected(stream)) return undefined;
  if (stream instanceof ProbeError)
    return failure(`The stream does not open: the server ${stream.reason}`, UNBUFFERED);
  if (!isEventStream(stream)) return undefined;
  if (stream.body !== '') return ok('The first bytes come at once');
  if (stream.isComplete)
    return warning('The standing stream ends at once', 'Keep it open: clients come back at once');
  return warning(
    `The stream opens, but nothing comes within ${timeoutMs} ms`,
    `${UNBUFFERED}; send keep-alives`,
  );
}

function judgeCompression(stream: ProbeAnswer | ProbeError | undefined): Outcome | undefined {
  if (stream instanceof ProbeError || !isEventStream(stream)) return undefined;
  const { 'content-encoding': encoding = 'identity' } = stream.headers;
  if (encoding === 'identity') return ok('The stream is not compressed');
  return failure(
    `The stream is compressed (${quote(encoding)}), which holds events back`,
    'Exclude "text/event-stream" from compression, or send "Cache-Control: no-transform"',
  );
}

function isRedirected(stream: ProbeAnswer | ProbeError | undefined): boolean {
  if (stream instanceof ProbeError) return stream instanceof RedirectedError;
  return stream !== undefined && stream.status >= 300 && stream.status < 400;
}

function isEventStream(stream: ProbeAnswer | undefined): stream is ProbeAnswer {
  return stream?.status === 200 && isMediaType(stream.headers['content-type'], ['text/event-stream']);
}
