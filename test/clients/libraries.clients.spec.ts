import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../support/until.js';
import { DrivenClient, type Place } from './driven-client.js';
import { ADAPTERS, ServedDesk, STDIO } from './served-desk.js';

const TIMEOUT_MS = 120_000;
const RETRY_MS = 30_000;
const TOOLS = ['search_tickets', 'open_ticket', 'close_ticket', 'audit_desk'];
const TICKET = 'desk://tickets/T-1012';
/** What its prompt says. */
const TASK = 'You triage';
const URGENT = { priority: 'urgent', status: 'open' };

/** What a client that people bring can do. */
interface Library {
  readonly name: string;
  /** The file in `drivers`. */
  readonly driver: string;
  readonly options?: object;
  readonly transports: readonly Place['transport'][];
  readonly hasResources?: boolean;
  readonly hasPrompts?: boolean;
  /** Over which transports it opens a new connection when one broke. @default all of HTTP */
  readonly reconnects?: readonly Place['transport'][];
  /** Whether it comes back for the answer of a call whose connection broke. */
  readonly resumes?: boolean;
}

const ALL = ['http', 'sse', 'stdio'] as const;
const OFFICIAL = { driver: 'sdk', transports: ALL, hasResources: true, hasPrompts: true };

const LIBRARIES: readonly Library[] = [
  ...['1.10', '1.15', '1.20'].map((version) => ({
    ...OFFICIAL,
    name: `the official SDK ${version}`,
    options: { sdk: `sdk-${version}` },
  })),
  {
    name: '@langchain/mcp-adapters',
    driver: 'langchain',
    transports: ALL,
    hasResources: true,
    hasPrompts: true,
    resumes: true,
  },
  { name: '@openai/agents', driver: 'openai-agents', transports: ALL, hasResources: true },
  {
    name: '@ai-sdk/mcp',
    driver: 'ai-sdk',
    transports: ALL,
    hasResources: true,
    hasPrompts: true,
    reconnects: ['http'],
  },
  {
    name: '@genkit-ai/mcp',
    driver: 'genkit',
    transports: ['http', 'stdio'],
    hasResources: true,
    hasPrompts: true,
    resumes: true,
  },
];

let client: DrivenClient | undefined;

async function start({ driver, options }: Library, place: Place): Promise<DrivenClient> {
  return (client = await DrivenClient.start(driver, place, options));
}

afterEach(async () => {
  await client?.stop();
  client = undefined;
}, TIMEOUT_MS);

/** What every client does at every server. */
async function expectToServe(library: Library, place: Place): Promise<void> {
  const started = await start(library, place);
  expect(await started.listTools()).toEqual(expect.arrayContaining(TOOLS));
  expect(await started.callTool('search_tickets', URGENT)).toContain('T-1012');
  const read = library.hasResources === true ? await started.readResource(TICKET) : TICKET;
  const prompted =
    library.hasPrompts === true ? await started.getPrompt('triage_ticket', { id: 'T-1012' }) : TASK;
  expect([read, prompted]).toEqual([expect.stringContaining('T-1012'), expect.stringContaining(TASK)]);
}

const OVER_HTTP = LIBRARIES.flatMap((library) =>
  library.transports.flatMap((transport) =>
    transport === 'stdio' ? [] : ADAPTERS.map((adapter) => ({ ...library, library, transport, adapter })),
  ),
);

describe.each(ADAPTERS)('the sample 01-desk on %s', (adapter) => {
  let desk: ServedDesk;

  beforeAll(async () => {
    desk = await ServedDesk.start(adapter);
  }, TIMEOUT_MS);

  afterAll(() => desk.stop());

  const here = OVER_HTTP.filter((one) => one.adapter === adapter);

  it.each(here)(
    'lists, calls, reads and prompts for $name over $transport (CORE-03, HTTP-01, SSE-01)',
    ({ library, transport }) => expectToServe(library, desk.at(transport)),
    TIMEOUT_MS,
  );

  it.each(here)(
    'answers a call that is long in coming to $name over $transport (HTTP-02, SSE-01)',
    async ({ library, transport, name }) => {
      const gate = `slow ${name} ${transport}`;
      const started = await start(library, desk.at(transport));
      const answer = started.callTool('ignore', { gate });
      await desk.passSilence(gate);
      desk.gate(gate).open();
      expect(await answer).toContain(gate);
    },
    TIMEOUT_MS,
  );

  it.each(here.filter(({ reconnects = ALL, transport }) => reconnects.includes(transport)))(
    'goes on with $name over $transport after its connections broke (HTTP-03, SSE-01)',
    async ({ library, transport }) => {
      const started = await start(library, desk.at(transport));
      expect(await started.callTool('search_tickets', URGENT)).toContain('T-1012');
      desk.cut();
      const search = () => started.callTool('search_tickets', URGENT).catch(() => undefined);
      expect(await until(search, 'an answer after the cut', RETRY_MS)).toContain('T-1012');
    },
    TIMEOUT_MS,
  );

  it.each(here.filter(({ resumes, transport }) => resumes === true && transport === 'http'))(
    'gives $name the answer of a call whose connection broke (HTTP-04)',
    async ({ library, transport, name }) => {
      const gate = `cut ${name}`;
      const started = await start(library, desk.at(transport));
      const answer = started.callTool('ignore', { gate });
      await desk.passSilence(gate);
      desk.cut();
      desk.gate(gate).open();
      expect(await answer).toContain(gate);
    },
    TIMEOUT_MS,
  );
});

describe('the sample 01-desk over a pipe', () => {
  it.each(LIBRARIES)(
    'lists, calls, reads and prompts for $name (CORE-03, STDIO-01)',
    (library) => expectToServe(library, STDIO),
    TIMEOUT_MS,
  );
});
