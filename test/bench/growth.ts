import { buildCallExchange, buildReadExchange } from './exchange.js';
import { type Asked, buildRow, withAgain } from './rows.js';
import { getSubject, OURS, OURS_ON_FASTIFY } from './subjects.js';
import { PROTOCOL_VERSIONS, type Wire } from './wire.js';
import { CPU_PER_REQUEST, formatCountId, MANY, type Row, type Workload } from './workload.js';

const FEW = 10;
const FEW_TOOLS = 50;
const SESSIONS = 10_000;
/** The limit is a tenth, and the processes of one launch have been seen to differ by more on a machine that is not quiet. */
const LAUNCHES = 4;

export function buildCallAmongTools(wire: Wire): Workload {
  const few = { wire, tools: FEW_TOOLS, exchange: buildCallExchange(wire) };
  const growth = { what: 'tools', many: MANY, asked: { ...few, tools: MANY } };
  const onExpress = buildGrowth(few, growth);
  return {
    ...onExpress,
    rows: [...onExpress.rows, ...buildPair(OURS_ON_FASTIFY, few, growth)],
    name: `call-many-${wire}`,
    title: `tools/call, ${PROTOCOL_VERSIONS[wire]}, ${FEW_TOOLS} and ${MANY} tools`,
  };
}

export function buildCallAmongSessions(): Workload {
  const asked: Asked = {
    wire: 'handshake',
    tools: 1,
    exchange: buildCallExchange('handshake'),
  };
  const many = { ...asked, idleSessions: SESSIONS };
  return {
    ...buildGrowth(asked, { what: 'open sessions', many: SESSIONS, asked: many }),
    name: 'call-sessions',
    title: `tools/call, ${PROTOCOL_VERSIONS.handshake}, few and ${SESSIONS} open sessions`,
  };
}

export function buildCallAmongResources(wire: Wire): Workload {
  const asked = { wire, tools: 1, resources: FEW, exchange: buildCallExchange(wire) };
  return {
    ...buildGrowth(asked, { what: 'resources', many: MANY, asked: { ...asked, resources: MANY } }),
    name: `call-resources-${wire}`,
    title: `tools/call, ${PROTOCOL_VERSIONS[wire]}, ${FEW} and ${MANY} resources`,
  };
}

export function buildReadAmongResources(wire: Wire): Workload {
  const asked = { wire, tools: 1, resources: FEW, exchange: buildReadExchange(wire) };
  return {
    ...buildGrowth(asked, { what: 'resources', many: MANY, asked: { ...asked, resources: MANY } }),
    name: `read-resources-${wire}`,
    title: `resources/read, ${PROTOCOL_VERSIONS[wire]}, ${FEW} and ${MANY} resources`,
  };
}

interface Growth {
  what: string;
  many: number;
  /** What the server that has many is asked. */
  asked: Asked;
}

/** Compares our server with itself, so that how many there are is the only difference. */
function buildGrowth(
  few: Asked,
  growth: Growth,
): Pick<Workload, 'kind' | 'quantity' | 'unit' | 'launches' | 'rows'> {
  return {
    kind: 'load',
    quantity: CPU_PER_REQUEST,
    unit: OURS,
    launches: LAUNCHES,
    rows: withAgain(OURS, buildPair(OURS, few, growth)),
  };
}

function buildPair(subjectId: string, few: Asked, { what, many, asked }: Growth): Row[] {
  const subject = getSubject(subjectId);
  const id = formatCountId(subjectId, many);
  const large = { ...subject, id, label: `${subject.label}, ${many} ${what}` };
  return [buildRow(subject, few), buildRow(large, asked)];
}
