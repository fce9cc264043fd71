import { isObject } from '../../protocol/json-rpc.js';
import type { Check } from '../check.interface.js';
import { failure, ok, warning, type Outcome } from '../finding.js';
import type { Handshake, McpResponse, Target } from '../target.js';
import { NEWEST_PER_REQUEST_VERSION } from '../probe/messages.js';
import { list, quote } from '../quote.js';

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Which revisions of the protocol are served. */
export const REVISION_CHECKS: readonly Check[] = [
  { id: 'discover', run: checkDiscovery },
  { id: 'handshake', run: checkHandshakes },
];

async function checkDiscovery(target: Target): Promise<Outcome | undefined> {
  if (await target.isClosed()) return undefined;
  const { result, ...response } = await target.discovery();
  if (result === undefined) return judgeSilence(target, response);
  const { supportedVersions: versions } = result;
  if (!Array.isArray(versions) || !versions.includes(NEWEST_PER_REQUEST_VERSION)) {
    return failure(
      `"server/discover" does not list ${NEWEST_PER_REQUEST_VERSION} in "supportedVersions"`,
      'List every version that is served without a handshake',
    );
  }
  if (!isObject(result['capabilities'])) {
    return failure('"server/discover" returns no "capabilities"', 'Return an object, which may be empty');
  }
  return ok(`${NEWEST_PER_REQUEST_VERSION} is served; "server/discover" names ${list(versions.map(String))}`);
}

/** Older servers do not know it, which is no defect. */
async function judgeSilence(
  target: Target,
  { status, error, response }: Omit<McpResponse, 'result'>,
): Promise<Outcome> {
  if ((await target.initialize()).result === undefined) {
    return failure('Neither "server/discover" nor "initialize" returns a result', 'Check the server log');
  }
  if (status >= 500 || (response === undefined && status === 200)) {
    return warning(`"server/discover" returns ${status} and no JSON-RPC`, 'Respond with a JSON-RPC error');
  }
  const found = `${NEWEST_PER_REQUEST_VERSION} is not served (${status}, ${describe(error)})`;
  return ok(`${found}: its clients fall back to the handshake`);
}

async function checkHandshakes(target: Target): Promise<Outcome | undefined> {
  if (await target.isClosed()) return undefined;
  const handshakes = await target.handshakes();
  if (handshakes.every(({ response }) => response.result === undefined))
    return judgeRefusal(target, handshakes);
  const broken = handshakes.filter(({ response }) => response.status !== 200 || !isCounter(response));
  const found = handshakes
    .map(({ requested, response }) => `${requested} -> ${describeCounter(response)}`)
    .join(', ');
  if (broken.length === 0) return ok(found);
  return failure(
    found,
    'Respond to "initialize" with 200 and "protocolVersion": the requested version, or the newest one served',
  );
}

async function judgeRefusal(target: Target, [newest]: readonly Handshake[]): Promise<Outcome | undefined> {
  const { status = 0, error } = newest?.response ?? {};
  if ((await target.discovery()).result === undefined) {
    const fix = status >= 500 ? 'Check the server log for the reason' : 'Follow the error message';
    return failure(`"initialize" is refused with ${status}, ${describe(error)}`, fix);
  }
  return ok(
    'No revision with a handshake is served',
    'To support clients before 2026-07-28, serve a revision with a handshake',
  );
}

function isCounter({ result }: McpResponse): boolean {
  const version = result?.['protocolVersion'];
  return typeof version === 'string' && DATE.test(version);
}

function describeCounter(response: McpResponse): string {
  if (response.result === undefined) return `${response.status}, ${describe(response.error)}`;
  const version = response.result['protocolVersion'];
  return isCounter(response) ? String(version) : `no version (${quote(version)})`;
}

function describe(error: McpResponse['error']): string {
  return error === undefined
    ? 'no JSON-RPC'
    : `${String(error['code']).slice(0, 12)} ${quote(error['message'])}`;
}
