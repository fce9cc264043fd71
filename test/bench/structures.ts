import { buildCallExchange, type Exchange } from './exchange.js';
import { buildRow, withAgain } from './rows.js';
import { getSubject, OURS, OURS_ON_FASTIFY } from './subjects.js';
import { PROTOCOL_VERSIONS } from './wire.js';
import { CPU_PER_REQUEST, type Row, type Workload } from './workload.js';

/** How long bodies are, in bytes. */
export const BODY_BYTES = [200, 20_000, 1_000_000];

/** As long as labels of tickets are at most. */
const TAG_BYTES = 60;
const LAUNCHES = 4;

/** Gives the name of the workload whose bodies are so long. */
export function formatStructureName(bytes: number): string {
  return `structure-${bytes}`;
}

/** Gives the id of the row of our server that does not count what a message is made of. */
export function formatUnboundedId(rowId: string): string {
  return `${rowId}/unbounded`;
}

/** Compares our server with itself, so that the bounds on the structure of a message are the only difference. */
export function buildStructures(): Workload[] {
  return BODY_BYTES.map((bytes) => {
    const exchange = buildLongCall(bytes);
    return {
      name: formatStructureName(bytes),
      title: `tools/call, ${PROTOCOL_VERSIONS.handshake}, a body of ${bytes.toLocaleString('en')} bytes, with and without bounds on its structure`,
      kind: 'load',
      quantity: CPU_PER_REQUEST,
      unit: OURS,
      launches: LAUNCHES,
      rows: withAgain(
        OURS,
        [OURS, OURS_ON_FASTIFY].flatMap((id) => buildPair(id, exchange)),
      ),
    };
  });
}

function buildPair(id: string, exchange: Exchange): Row[] {
  const subject = getSubject(id);
  const asked = { wire: exchange.wire, tools: 1, exchange };
  const unbounded = { ...subject, id: formatUnboundedId(id), label: `${subject.label}, without bounds` };
  return [buildRow(subject, asked), buildRow(unbounded, { ...asked, isUnbounded: true })];
}

/** Makes a call as long as it shall be, by labels of the tickets that are searched. */
function buildLongCall(bytes: number): Exchange {
  const exchange = buildCallExchange('handshake');
  const { params } = exchange.message;
  const build = (tags: string[]): Exchange => ({
    ...exchange,
    message: {
      ...exchange.message,
      params: { ...params, arguments: { ...(params['arguments'] as object), tags } },
    },
  });
  const missing = bytes - measureBody(build(['']));
  const count = Math.floor(missing / (TAG_BYTES + 3));
  const tags = Array.from({ length: count }, () => 'x'.repeat(TAG_BYTES));
  const rest = bytes - measureBody(build([...tags, '']));
  return build([...tags, 'x'.repeat(Math.max(rest, 0))]);
}

function measureBody({ message }: Exchange): number {
  return Buffer.byteLength(JSON.stringify({ jsonrpc: '2.0', id: 10_000_000, ...message }));
}
