import { buildCallExchange } from './exchange.js';
import { buildRow, withAgain } from './rows.js';
import type { Assignment } from './server-contender.js';
import { getSubject, OURS, OURS_ON_FASTIFY } from './subjects.js';
import { PROTOCOL_VERSIONS, type Wire } from './wire.js';
import { CPU_PER_REQUEST, type Row, type Workload } from './workload.js';

/** The row of our server that asks for tokens. */
export const PROTECTED = formatProtectedId(OURS);

/** The row of our server that records spans and metrics. */
export const RECORDED = formatRecordedId(OURS);
export const AUDITED = `${OURS}/audited`;

/** The row of our server whose handler records the same by hand. */
export const RECORDED_BY_HAND = `${OURS}/recorded-by-hand`;

/** Gives the id of the row of our server on an adapter that asks for tokens. */
export function formatProtectedId(rowId: string): string {
  return `${rowId}/jwt`;
}

/** Gives the id of the row of our server on an adapter that records spans and metrics. */
export function formatRecordedId(rowId: string): string {
  return `${rowId}/recorded`;
}

/** Compares our server with itself, so that the token is the only difference. */
export function buildProtectedCall(wire: Wire): Workload {
  const jwt = { jwks: { prefetch: true } };
  return buildOwnLoad(wire, { name: 'jwt', title: 'with a cached JWT', launches: 7 }, [
    buildOwn(wire, OURS, { id: PROTECTED, suffix: 'with a JWT', jwt }),
    buildOwn(wire, OURS, {
      id: `${PROTECTED}/late-keys`,
      suffix: 'with a JWT, keys fetched while it serves',
      jwt: {},
    }),
    ...buildPairOnFastify(wire, { id: formatProtectedId(OURS_ON_FASTIFY), suffix: 'with a JWT', jwt }),
  ]);
}

/** Compares our server with itself, so that recording is the only difference, and with what OpenTelemetry costs whoever uses it. */
export function buildRecordedCall(wire: Wire): Workload {
  const suffix = 'with spans and metrics';
  return buildOwnLoad(wire, { name: 'telemetry', title: suffix, launches: 3 }, [
    buildOwn(wire, OURS, { id: RECORDED, suffix, recorder: 'server' }),
    buildOwn(wire, OURS, {
      id: RECORDED_BY_HAND,
      suffix: `${suffix} of OpenTelemetry alone`,
      recorder: 'handler',
    }),
    ...buildPairOnFastify(wire, { id: formatRecordedId(OURS_ON_FASTIFY), suffix, recorder: 'server' }),
  ]);
}

/** Compares our server with itself, so that the audit is the only difference. */
export function buildAuditedCall(wire: Wire): Workload {
  return buildOwnLoad(wire, { name: 'audit', title: 'with an audit', launches: 3 }, [
    buildOwn(wire, OURS, { id: AUDITED, suffix: 'with a subscriber of its audit', isAudited: true }),
  ]);
}

/** Builds the workload of calls of our server that others of it are compared with. */
function buildOwnLoad(
  wire: Wire,
  { name, title, launches }: { name: string; title: string; launches: number },
  others: readonly Row[],
): Workload {
  return {
    name: `${name}-${wire}`,
    title: `tools/call ${title}, ${PROTOCOL_VERSIONS[wire]}, 1 tool`,
    kind: 'load',
    quantity: CPU_PER_REQUEST,
    unit: OURS,
    launches,
    rows: [...withAgain(OURS, [buildOwn(wire, OURS)]), ...others],
  };
}

/** Builds the rows of our server on Fastify, as it is and with what sets it apart. */
function buildPairOnFastify(wire: Wire, difference: Difference): readonly Row[] {
  return [buildOwn(wire, OURS_ON_FASTIFY), buildOwn(wire, OURS_ON_FASTIFY, difference)];
}

/** What sets a row of our server apart: its id, what its label ends with, and what the server is started with. */
type Difference = { id: string; suffix: string } & Partial<Assignment>;

/** Builds the row of our server on an adapter. */
function buildOwn(wire: Wire, subjectId: string, difference?: Difference): Row {
  const subject = getSubject(subjectId);
  const asked = { wire, tools: 1, exchange: buildCallExchange(wire) };
  if (difference === undefined) return buildRow(subject, asked);
  const { id, suffix, ...assignment } = difference;
  return buildRow({ ...subject, id, label: `${subject.label}, ${suffix}` }, { ...asked, ...assignment });
}
