import { isObject } from '../../protocol/json-rpc.js';
import type { Check } from '../check.interface.js';
import { failure, ok, warning, type Outcome } from '../finding.js';
import type { Handshake, McpAnswer, Target } from '../target.js';
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
  const { result, ...answer } = await target.discovery();
  if (result === undefined) return judgeSilence(target, answer);
  const { supportedVersions: versions } = result;
  if (!Array.isArray(versions) || !versions.includes(NEWEST_PER_REQUEST_VERSION)) {
    return failure(
      `"server/discover" answers without ${NEWEST_PER_REQUEST_VERSION} in "supportedVersions"`,
      'List every version that is served without a handshake',
    );
  }
  if (!isObject(result['capabilities'])) {
    return failure(
      '"server/discover" answers without "capabilities"',
      'Answer with an object, which may be empty',
    );
  }
  return ok(`${NEWEST_PER_REQUEST_VERSION} is served; "server/discover" names ${list(versions.map(String))}`);
}

/** Older servers know nothing of it, and that is no fault of theirs. */
async function judgeSilence(
  target: Target,
  { status, error, response }: Omit<McpAnswer, 'result'>,
): Promise<Outcome> {
  if ((await target.initialize()).result === undefined) {
    return failure(
      'Neither "server/discover" nor "initialize" is answered with a result',
      'Read the log of the server',
    );
  }
  if (status >= 500 || (response === undefined && status === 200)) {
    return warning(
      `"server/discover" is answered with ${status} and no JSON-RPC`,
      'Answer with an error of JSON-RPC',
    );
  }
  const found = `${NEWEST_PER_REQUEST_VERSION} is not served (${status}, ${describe(error)})`;
  return ok(`${found}: its clients fall back to the handshake`);
}

async function checkHandshakes(target: Target): Promise<Outcome | undefined> {
  if (await target.isClosed()) return undefined;
  const handshakes = await target.handshakes();
  if (handshakes.every(({ answer }) => answer.result === undefined)) return judgeRefusal(target, handshakes);
  const broken = handshakes.filter(({ answer }) => answer.status !== 200 || !isCounter(answer));
  const found = handshakes.map(({ asked, answer }) => `${asked} -> ${describeCounter(answer)}`).join(', ');
  if (broken.length === 0) return ok(found);
  return failure(
    found,
    'Answer "initialize" with 200 and "protocolVersion": the version that is asked for, or the newest that is served',
  );
}

async function judgeRefusal(target: Target, [newest]: readonly Handshake[]): Promise<Outcome | undefined> {
  const { status = 0, error } = newest?.answer ?? {};
  if ((await target.discovery()).result === undefined) {
    const fix = status >= 500 ? 'Read the log of the server: it has the reason' : 'Do what the error says';
    return failure(`"initialize" is refused with ${status}, ${describe(error)}`, fix);
  }
  return ok(
    'No revision with a handshake is served',
    'If clients before 2026-07-28 are to connect, serve a revision with a handshake',
  );
}

function isCounter({ result }: McpAnswer): boolean {
  const version = result?.['protocolVersion'];
  return typeof version === 'string' && DATE.test(version);
}

function describeCounter(answer: McpAnswer): string {
  if (answer.result === undefined) return `${answer.status}, ${describe(answer.error)}`;
  const version = answer.result['protocolVersion'];
  return isCounter(answer) ? String(version) : `no version (${quote(version)})`;
}

function describe(error: McpAnswer['error']): string {
  return error === undefined
    ? 'no JSON-RPC'
    : `${String(error['code']).slice(0, 12)} ${quote(error['message'])}`;
}
