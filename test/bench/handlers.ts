import { buildCallExchange } from './exchange.js';
import { buildRow, withAgain } from './rows.js';
import type { HandlerStyle } from './servers/serve.js';
import type { Subject } from './subjects.js';
import { PROTOCOL_VERSIONS } from './wire.js';
import { CPU_PER_REQUEST, type Workload } from './workload.js';

type Style = [style: HandlerStyle, label: string];

const PLAIN: Style = ['plain', 'a method alone, arguments unchecked'];

const PIPELINE: Style[] = [
  PLAIN,
  ['guard', 'with a guard'],
  ['interceptor', 'with an interceptor'],
  ['pipe', 'with a pipe'],
  ['pipeline', 'with a guard, an interceptor and a pipe'],
  ['request-scoped', 'of a request-scoped provider'],
];

const SCHEMAS: Style[] = [
  PLAIN,
  ['json-schema', 'with JSON Schema'],
  ['zod', 'with zod'],
  ['dto', 'with a DTO of class-validator'],
];

/** Limits of rows compare with this many slices of more than one process. */
const LAUNCHES = 4;

/** Compares handlers that do nothing with one another, so that what stands around them is the only difference. */
export function buildHandlers(): Workload[] {
  return [
    buildStyles('handler-pipeline', "what stands around a handler: Nest's pipeline", PIPELINE),
    buildStyles('handler-schema', 'what checks its arguments', SCHEMAS),
  ];
}

function buildStyles(name: string, title: string, styles: Style[]): Workload {
  const exchange = buildCallExchange('perRequest');
  return {
    name,
    title: `tools/call, ${PROTOCOL_VERSIONS.perRequest}, by ${title}`,
    kind: 'load',
    quantity: CPU_PER_REQUEST,
    unit: PLAIN[0],
    launches: LAUNCHES,
    rows: withAgain(
      PLAIN[0],
      styles.map(([handler, label]) =>
        buildRow(describe(handler, label), { wire: 'perRequest', tools: 1, handler, exchange }),
      ),
    ),
  };
}

function describe(id: HandlerStyle, label: string): Subject {
  return {
    id,
    label,
    program: 'nestjs-mcp-handlers',
    variant: 'express',
    wires: ['perRequest'],
    streams: false,
  };
}
