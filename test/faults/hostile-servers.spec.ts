import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NodeProgram } from '../support/programs/node-program.js';
import { visitMeanwhile } from './second-caller.js';

const [HOSTILE = '', CALLING = ''] = ['hostile-server', 'calling-app'].map((name) =>
  fileURLToPath(new URL(`../../.build/test/programs/${name}.js`, import.meta.url)),
);
const HEAP = '--max-old-space-size=256';
const MOST_BYTES = 400_000_000;
/** What a call may take: what has an end ends by itself, however slow the machine is. */
const LONG_MS = 100_000;
const SHORT_MS = 4_000;
/** What the calls of a test may take, and what a time-out of the client takes. */
const TEST_MS = 120_000;

/** The same for all attacks, each of which meets a client of its own. */
let server: NodeProgram;
let app: NodeProgram;

beforeAll(async () => {
  [server, app] = [new NodeProgram(HOSTILE), new NodeProgram(CALLING, {}, [HEAP])];
  await Promise.all([server.prints('ready'), app.prints('ready')]);
}, TEST_MS);

afterAll(async () => {
  await Promise.all([server.stop('SIGKILL'), app.stop('SIGKILL')]);
});

const urlOf = ({ stdout }: NodeProgram) => /ready (\S+)/.exec(stdout)?.[1] ?? '';

/** Describes a server that does not what it should: "stdio", "stdio <result>", or the path of an attack. */
function describeServer(name: string): object {
  const [transport, result] = name.split(' ');
  if (transport !== 'stdio') return { url: `${urlOf(server)}/${name}` };
  return {
    command: process.execPath,
    args: [HOSTILE, 'stdio', ...(result === undefined ? [] : [result])],
  };
}

interface Course {
  /** What the client of the application got. */
  readonly outcome: { readonly size?: number; readonly code?: string; readonly message?: string };
  /** How many others were answered before that. */
  readonly others: number;
  readonly peakBytes: number;
}

async function attack(name: string, path = 'call', timeoutMs = LONG_MS): Promise<Course> {
  const ask = async (what: string) => (await fetch(`${urlOf(app)}/${what}`)).text();
  // The server's process may take long to start on a busy machine.
  const options = { timeoutMs, reconnect: { waitMs: LONG_MS }, ...describeServer(name) };
  const query = new URLSearchParams({ name: `${path} ${name}`, options: JSON.stringify(options), path });
  const calling = ask(`ask?${query.toString()}`);
  let others = 0;
  const visit = async () => {
    expect(await ask('')).toBe('hello');
    others += 1;
  };
  await visitMeanwhile(visit, calling);
  const outcome = JSON.parse(await calling) as Course['outcome'];
  await visit();
  const peakBytes = Number(await ask('memory'));
  process.stdout.write(`${name} ${path}: at most ${Math.round(peakBytes / 1_000_000)} MB\n`);
  return { outcome, others, peakBytes };
}

function expectTooLarge({ outcome, others, peakBytes }: Course, unit: string): void {
  expect(outcome.code).toBe('response_too_large');
  expect(outcome.message).toMatch(
    new RegExp(
      `^The server for the client "[^"]+" sent more than 8388608 bytes in one ${unit}: set "maxResponseBytes" to accept more$`,
    ),
  );
  expectUnharmed({ others, peakBytes });
}

function expectTooMuch({ outcome, others, peakBytes }: Course, what: string, unit: string): void {
  expect(outcome.code).toBe('response_too_large');
  expect(outcome.message).toContain(`sent more than ${what} in one ${unit}`);
  expectUnharmed({ others, peakBytes });
}

function expectUnharmed({ others, peakBytes }: Pick<Course, 'others' | 'peakBytes'>): void {
  expect(others).toBeGreaterThan(0);
  expect(peakBytes).toBeLessThan(MOST_BYTES);
}

describe('An application with 256 MB of heap and a client of a hostile server', () => {
  it.each([
    ['line-without-end', 'event'],
    ['event-without-end', 'event'],
    ['event-of-empty-lines', 'event'],
    ['resumable-line', 'event'],
    ['gzip-bomb-in-a-stream', 'event'],
    ['json-without-end', 'response'],
    ['gzip-bomb', 'response'],
    ['brotli-bomb', 'response'],
    ['first/line-without-end', 'event'],
    ['first/json-without-end', 'response'],
    ['first/gzip-bomb', 'response'],
    ['stdio', 'response'],
  ])(
    'fails a call, goes on for everybody else, and names the limit: %s (PEER-07)',
    async (name, unit) => expectTooLarge(await attack(name), unit),
    TEST_MS,
  );

  it.each([
    ['wrong-content-of-90-kb', 'call'],
    ['wrong-content', 'call'],
    ['wrong-names-of-content', 'call'],
    ['wrong-audience', 'call'],
    ['many-properties', 'call'],
    ['many-members', 'call'],
    ['wrong-tools', 'list'],
    ['wrong-required', 'list'],
    ['many-schemas', 'list'],
  ])(
    'validates no result with too many values: %s (PEER-07)',
    async (name, path) => {
      const values = '262144 weighted values';
      expectTooMuch(await attack(name, path), values, 'response');
      expectTooMuch(await attack(`${name}-stream`, path), values, 'event');
      expectTooMuch(await attack(`stdio ${name}`, path), values, 'response');
    },
    TEST_MS,
  );

  it.each([
    ['deep-schema', 'list'],
    ['deep-structure', 'call'],
  ])(
    'validates no result that is too deep: %s (PEER-07)',
    async (name, path) => {
      expectTooMuch(await attack(name, path), '500 levels of nesting', 'response');
      expectTooMuch(await attack(`${name}-stream`, path), '500 levels of nesting', 'event');
      expectTooMuch(await attack(`stdio ${name}`, path), '500 levels of nesting', 'response');
    },
    TEST_MS,
  );

  it.each([
    ['legal-tools', 'list', 5_000],
    ['legal-structure', 'call', 400_000],
    ['legal-blocks', 'call', 75_000],
  ])(
    'accepts a large result that is right: %s (PEER-07)',
    async (name, path, size) => {
      for (const way of [name, `${name}-stream`, `stdio ${name}`]) {
        const course = await attack(way, path);
        expect(course.outcome.size).toBeGreaterThanOrEqual(size);
        expectUnharmed(course);
      }
    },
    TEST_MS,
  );

  it.each([
    ['refusal-without-end', 'client_unauthorized'],
    ['fault-without-end', 'CLIENT_HTTP_NOT_IMPLEMENTED'],
    ['headers-without-end', 'connection_lost'],
    ['trailers-without-end', 'connection_lost'],
    ['hints-without-end', 'REQUEST_TIMEOUT'],
    ['events-for-ever', 'REQUEST_TIMEOUT'],
    ['pings-for-ever', 'REQUEST_TIMEOUT'],
  ])(
    'fails a call as any server may have it fail: %s (PEER-07)',
    async (name, code) => {
      const isEndless = code === 'REQUEST_TIMEOUT';
      const course = await attack(name, 'call', isEndless ? SHORT_MS : LONG_MS);
      expect(course.outcome.code).toBe(code);
      expectUnharmed(course);
    },
    TEST_MS,
  );

  it.each(['list', 'skills'])(
    'reads no list whose pages have no end: %s (PEER-07)',
    async (path) => expectTooLarge(await attack('pages-without-end', path), 'list'),
    TEST_MS,
  );

  it(
    'reads no list of small pages without an end (PEER-07)',
    async () => {
      const course = await attack('small-pages-without-end', 'list');
      expect(course.outcome.code).toBe('LIST_PAGINATION_EXCEEDED');
      expectUnharmed(course);
    },
    TEST_MS,
  );

  it.each(['legal', 'legal-stream'])(
    'accepts a result of 5 MB: %s (PEER-07)',
    async (name) => {
      const course = await attack(name);
      expect(course.outcome.size).toBeGreaterThan(5_000_000);
      expectUnharmed(course);
    },
    TEST_MS,
  );
});
