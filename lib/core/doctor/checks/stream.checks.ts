import { isMediaType } from '../../protocol/headers/media-type.js';
import type { Check } from '../check.interface.js';
import { fault, ok, warning, type Outcome } from '../finding.js';
import type { Patient } from '../patient.js';
import type { ProbeAnswer } from '../probe/probe-wire.interface.js';
import { ProbeError } from '../probe/probe.error.js';
import { quote } from '../quote.js';

const UNBUFFERED =
  'Let the proxy pass event streams on at once: "proxy_buffering off" or "X-Accel-Buffering: no" in nginx, no compression';

/** Whether events come through as they are sent. */
export const STREAM_CHECKS: readonly Check[] = [
  { id: 'stream', run: async (patient) => judgeStream(await patient.stream()) },
  { id: 'stream-first-byte', run: async (patient) => judgeFirstByte(patient, await patient.stream()) },
  { id: 'stream-compression', run: async (patient) => judgeCompression(await patient.stream()) },
];

function judgeStream(stream: ProbeAnswer | ProbeError | undefined): Outcome | undefined {
  if (stream === undefined || stream instanceof ProbeError) return undefined;
  const { status, headers } = stream;
  if (status === 405) return ok('The server offers no standing stream');
  if (status !== 200) {
    return fault(`GET in the session is answered with ${status}`, 'Open the event stream, or answer 405');
  }
  if (isMediaType(headers['content-type'], ['text/event-stream'])) return ok('GET opens the standing stream');
  const type = quote(headers['content-type'] ?? 'no type');
  return fault(`GET is answered with 200 and ${type}`, 'Answer with "text/event-stream", or with 405');
}

function judgeFirstByte(patient: Patient, stream: ProbeAnswer | ProbeError | undefined): Outcome | undefined {
  const { timeoutMs } = patient.options;
  if (stream instanceof ProbeError)
    return fault(`The stream does not open: the server ${stream.reason}`, UNBUFFERED);
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
  return fault(
    `The stream is compressed (${quote(encoding)}), which holds events back`,
    'Exclude "text/event-stream" from compression, or send "Cache-Control: no-transform"',
  );
}

function isEventStream(stream: ProbeAnswer | undefined): stream is ProbeAnswer {
  return stream?.status === 200 && isMediaType(stream.headers['content-type'], ['text/event-stream']);
}
