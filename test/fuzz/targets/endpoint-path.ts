import { isTargetOf } from '../../../lib/server/transport/http/endpoint-path.js';
import { assertHolds } from '../contract.js';

/** Decides whether a request target is the endpoint's. */
export function fuzz(bytes: Buffer): void {
  const target = bytes.toString('latin1');
  const isOurs = isTargetOf('/mcp', target);
  assertHolds(
    isTargetOf('/mcp', `${target}#x`) === isOurs || target.length < 4,
    'a fragment makes no difference',
  );
  for (const suffix of ['?a=1', '/?a=1', '#']) {
    assertHolds(
      isTargetOf('/mcp', `/mcp${suffix}${target}`),
      'what stands behind the path makes no difference',
    );
  }
  assertHolds(!isTargetOf('/mcp', `/mcp-${target}`), 'a longer name is another path');
}
