import { type Measured, startStartUp, startStdioStartUp } from './server-contender.js';
import { buildCallExchange } from './exchange.js';
import { withAgain } from './rows.js';
import { getSubject, OURS, OURS_ON_FASTIFY, type Subject, WITHOUT_MCP } from './subjects.js';
import { BYTES_HELD, formatCountId, MANY, type Row, TIME_TO_ANSWER, type Workload } from './workload.js';

const LISTED = 200;
/** As many tools as a server of some size has. */
const SOME = 20;
/** What as many as {@link MANY} are compared with. */
export const FEW = 50;

/** The rows of "start-up-few" and "start-up-stdio" besides {@link OURS} and {@link WITHOUT_MCP}. */
export const WITHOUT_MCP_ON_FASTIFY = `${WITHOUT_MCP}-fastify`;
export const SDK_AT_PIPE = 'sdk-v2-stdio';

const WITHOUT = { id: WITHOUT_MCP, label: 'without McpModule', program: 'nest-without-mcp' };
const WITHOUT_ON_FASTIFY = {
  ...WITHOUT,
  id: WITHOUT_MCP_ON_FASTIFY,
  label: 'without McpModule, on Fastify',
  variant: 'fastify',
};

type Started = Pick<Subject, 'id' | 'label' | 'program' | 'variant'>;

/** Compares a start with that of a peer, and of the same application without the module. */
export function buildStartUp(): Workload {
  return {
    name: 'start-up',
    title: `from the start of a process to its first answer, ${LISTED} tools`,
    kind: 'startUp',
    quantity: TIME_TO_ANSWER,
    unit: WITHOUT_MCP,
    rows: buildRows([WITHOUT, getSubject(OURS), getSubject('mcp-nest')], LISTED),
  };
}

/** What a start costs of a server with fewer tools, at a pipe, and with very many. */
export function buildStartUps(): Workload[] {
  return [
    {
      name: 'start-up-few',
      title: `from the start of a process to its first answer, ${SOME} tools`,
      kind: 'startUp',
      quantity: TIME_TO_ANSWER,
      unit: WITHOUT_MCP,
      rows: buildRows([WITHOUT, getSubject(OURS), WITHOUT_ON_FASTIFY, getSubject(OURS_ON_FASTIFY)], SOME),
    },
    {
      name: 'start-up-stdio',
      title: `from the start of a process at a pipe to the first answer of a tool, ${SOME} tools`,
      kind: 'startUp',
      quantity: TIME_TO_ANSWER,
      unit: WITHOUT_MCP,
      rows: withAgain(WITHOUT_MCP, [
        buildStdioRow({ ...WITHOUT, program: 'nest-without-mcp-stdio' }),
        buildStdioRow({ id: OURS, label: 'nestjs-mcp', program: 'nestjs-mcp-stdio' }),
        buildStdioRow({ id: SDK_AT_PIPE, label: 'official SDK v2', program: 'sdk-v2-stdio' }),
      ]),
    },
    buildGrowth({ name: 'start-up-many', what: 'a start', quantity: TIME_TO_ANSWER, measured: 'time' }),
    buildGrowth({ name: 'memory-many', what: 'memory', quantity: BYTES_HELD, measured: 'memory' }),
  ];
}

function buildRows(subjects: Started[], tools: number): Row[] {
  return withAgain(
    WITHOUT_MCP,
    subjects.map((subject) => buildHttpRow(subject, tools)),
  );
}

function buildHttpRow(subject: Started, tools: number, measured: Measured = 'time'): Row {
  const { id, label } = subject;
  const exchange = buildCallExchange('perRequest');
  return {
    id,
    label,
    start: (setup) => startStartUp({ wire: 'perRequest', tools, exchange, subject, measured }, setup),
  };
}

function buildStdioRow({ id, label, program }: Started): Row {
  return { id, label, start: () => startStdioStartUp(program, SOME) };
}

interface Growth {
  name: string;
  what: string;
  quantity: Workload['quantity'];
  measured: Measured;
}

/** Compares our server with itself, so that how many tools there are is the only difference. */
function buildGrowth({ name, what, quantity, measured }: Growth): Workload {
  const subjects = [getSubject(OURS), getSubject(OURS_ON_FASTIFY)];
  const rows = subjects.flatMap((subject) => [
    buildHttpRow(subject, FEW, measured),
    buildHttpRow(
      { ...subject, id: formatCountId(subject.id, MANY), label: `${subject.label}, ${MANY} tools` },
      MANY,
      measured,
    ),
  ]);
  return {
    name,
    title: `${what} up to the first answer, ${FEW} and ${MANY} tools`,
    kind: 'startUp',
    quantity,
    unit: OURS,
    rows: withAgain(OURS, rows),
  };
}
