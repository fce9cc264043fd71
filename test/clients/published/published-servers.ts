import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Question } from './official-client.js';

const BIN = fileURLToPath(new URL('../node_modules/.bin/', import.meta.url));
const PROGRAMS = fileURLToPath(new URL('./programs/', import.meta.url));
/** Examples that come with the official SDK of before 2026. */
const EXAMPLES = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/sdk/dist/esm/examples/server/', import.meta.url),
);

/** A server that others published, which needs neither an account nor a network for these requests. */
export interface PublishedServer {
  /** Its name in the gateway. */
  readonly name: string;
  /** The package, and which of its servers. */
  readonly from: string;
  /** Its program. */
  readonly file: string;
  readonly options?: readonly string[];
  readonly environment?: { readonly [name: string]: string };
  /** Where it listens, at the port in `PORT`. @default none, it is a process over stdio */
  readonly path?: string;
  /** Whether it speaks HTTP+SSE alone. @default false */
  readonly isSse?: boolean;
  /** Whether the gateway offers its apps. @default false */
  readonly hasApps?: boolean;
  /** Requests that have the same result each time. */
  readonly questions: readonly Question[];
}

/** A program of a package of `test/clients`. */
const bin = (name: string) => ({ file: join(BIN, name) });

/** A program of this folder. */
const program = (name: string) => ({ file: join(PROGRAMS, name) });

const PRELOAD = `--import=${new URL('./programs/listen-on-port.mjs', import.meta.url).href}`;

/** An example of the official SDK that listens. */
const listening = (name: string) => ({
  from: `@modelcontextprotocol/sdk, ${name}`,
  file: join(EXAMPLES, `${name}.js`),
  environment: { NODE_OPTIONS: PRELOAD },
  path: '/mcp',
});

const STATIC = 'demo://resource/static/document/features.md';
const TEXT = 'demo://resource/dynamic/text/{resourceId}';

const EVERYTHING: readonly Question[] = [
  { tool: 'echo', given: { message: 'hi' } },
  { tool: 'get-sum', given: { a: 1, b: 2 } },
  { tool: 'get-sum', given: { a: 'one', b: 2 } },
  { tool: 'get-tiny-image' },
  { tool: 'get-structured-content', given: { location: 'Chicago' } },
  { tool: 'get-annotated-message', given: { messageType: 'error', includeImage: true } },
  { tool: 'get-resource-links', given: { count: 3 } },
  { tool: 'get-resource-reference', given: { resourceType: 'Text', resourceId: 1 } },
  { tool: 'get-roots-list' },
  { tool: 'trigger-sampling-request', given: { prompt: 'hello', maxTokens: 5 } },
  { tool: 'trigger-elicitation-request' },
  { tool: 'trigger-url-elicitation', given: { url: 'https://example.com/pay', elicitationId: 'pay-1' } },
  { uri: STATIC },
  { uri: 'demo://resource/dynamic/text/7' },
  { uri: 'demo://resource/dynamic/text/none' },
  { prompt: 'simple-prompt' },
  { prompt: 'args-prompt', given: { city: 'Rome', state: 'Lazio' } },
  { prompt: 'resource-prompt', given: { resourceType: 'Text', resourceId: '2' } },
  { completePrompt: 'completable-prompt', argument: ['department', 'E'] },
  { completePrompt: 'completable-prompt', argument: ['name', 'D'], given: { department: 'Sales' } },
  { completeTemplate: TEXT, argument: ['resourceId', '3'] },
];

const FASTMCP: readonly Question[] = [
  { tool: 'add', given: { a: 1, b: 2 } },
  { tool: 'add', given: { a: 'one' } },
  { tool: 'count', given: { to: 2 } },
  { tool: 'ask' },
  { uri: 'sums://about' },
  { uri: 'sums://totals/1' },
  { prompt: 'explain', given: { unit: 'pears' } },
  { completePrompt: 'explain', argument: ['unit', 'p'] },
  { completeTemplate: 'sums://totals/{id}', argument: ['id', ''] },
];

export const OVER_STDIO: readonly PublishedServer[] = [
  {
    name: 'everything',
    from: '@modelcontextprotocol/server-everything',
    ...bin('mcp-server-everything'),
    questions: EVERYTHING,
  },
  {
    name: 'files',
    from: '@modelcontextprotocol/server-filesystem',
    ...bin('mcp-server-filesystem'),
    options: ['.'],
    questions: [
      { tool: 'list_allowed_directories' },
      { tool: 'list_directory', given: { path: '.' } },
      { tool: 'directory_tree', given: { path: '.' } },
      { tool: 'read_text_file', given: { path: 'note.txt', head: 1 } },
      { tool: 'read_multiple_files', given: { paths: ['note.txt', 'missing.txt'] } },
      { tool: 'read_text_file', given: { path: '/etc/hostname' } },
    ],
  },
  {
    name: 'memory',
    from: '@modelcontextprotocol/server-memory',
    ...bin('mcp-server-memory'),
    environment: { MEMORY_FILE_PATH: 'memory.jsonl' },
    questions: [
      { tool: 'read_graph' },
      { tool: 'search_nodes', given: { query: 'Ada' } },
      { tool: 'open_nodes', given: { names: ['Ada', 'Bob'] } },
    ],
  },
  {
    name: 'thinking',
    from: '@modelcontextprotocol/server-sequential-thinking',
    ...bin('mcp-server-sequential-thinking'),
    questions: [
      {
        tool: 'sequentialthinking',
        given: { thought: 'one', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
      },
    ],
  },
  {
    name: 'hello',
    from: 'mcp-hello-world',
    ...bin('mcp-hello-world'),
    questions: [
      { tool: 'echo', given: { message: 'hi' } },
      // It prints to standard output, between the messages.
      { tool: 'add', given: { a: 1, b: 2 } },
      { uri: 'hello://world' },
      { uri: 'greeting://Ada' },
      { prompt: 'helpful-assistant' },
    ],
  },
  {
    name: 'commands',
    from: 'mcp-server-commands, of the official SDK 1.9',
    ...bin('mcp-server-commands'),
    questions: [
      { tool: 'run_command', given: { command: 'echo hi' } },
      { tool: 'run_command', given: { command: 'exit 3' } },
      { prompt: 'run_command', given: { command: 'echo hi' } },
    ],
  },
  { name: 'context7', from: '@upstash/context7-mcp', ...bin('context7-mcp'), questions: [] },
  {
    name: 'notion',
    from: '@notionhq/notion-mcp-server',
    ...bin('notion-mcp-server'),
    environment: { NOTION_TOKEN: 'ntn_none' },
    questions: [],
  },
  { name: 'browser', from: '@playwright/mcp', ...bin('playwright-mcp'), questions: [] },
  { name: 'sums', from: 'fastmcp', ...program('fastmcp.mjs'), questions: FASTMCP },
  {
    name: 'progress',
    from: '@modelcontextprotocol/sdk, progressExample',
    file: join(EXAMPLES, 'progressExample.js'),
    questions: [{ tool: 'count', given: { n: 1 } }],
  },
  {
    name: 'sampling',
    from: '@modelcontextprotocol/sdk, toolWithSampleServer',
    file: join(EXAMPLES, 'toolWithSampleServer.js'),
    questions: [{ tool: 'summarize', given: { text: 'a long text' } }],
  },
];

export const LISTENING: readonly PublishedServer[] = [
  {
    name: 'everything-sse',
    from: '@modelcontextprotocol/server-everything',
    ...bin('mcp-server-everything'),
    options: ['sse'],
    path: '/sse',
    isSse: true,
    questions: EVERYTHING,
  },
  {
    name: 'everything-http',
    from: '@modelcontextprotocol/server-everything',
    ...bin('mcp-server-everything'),
    options: ['streamableHttp'],
    path: '/mcp',
    questions: EVERYTHING,
  },
  { name: 'sums-http', from: 'fastmcp', ...program('fastmcp.mjs'), path: '/mcp', questions: FASTMCP },
  {
    name: 'greetings',
    from: '@rekog/mcp-nest',
    ...program('mcp-nest.mjs'),
    path: '/mcp',
    questions: [
      { tool: 'greet', given: { name: 'Ada' } },
      { tool: 'greet', given: { name: 1 } },
      { uri: 'greetings://languages' },
      { uri: 'greetings://words/es' },
      { prompt: 'introduce', given: { name: 'Ada' } },
    ],
  },
  {
    name: 'budget',
    from: '@modelcontextprotocol/server-budget-allocator',
    ...bin('mcp-budget-allocator-server'),
    path: '/mcp',
    hasApps: true,
    questions: [{ tool: 'get-budget-data' }, { uri: 'ui://budget-allocator/mcp-app.html' }],
  },
  {
    name: 'simple',
    ...listening('simpleStreamableHttp'),
    questions: [
      { tool: 'greet', given: { name: 'Ada' } },
      { tool: 'collect-user-info', given: { infoType: 'contact' } },
      { tool: 'collect-user-info', given: { infoType: 'preferences' } },
      { tool: 'list-files' },
      { uri: 'https://example.com/greetings/default' },
      { uri: 'file:///example/file1.txt' },
      { prompt: 'greeting-template', given: { name: 'Ada' } },
    ],
  },
  {
    name: 'forms',
    ...listening('elicitationFormExample'),
    questions: [{ tool: 'register_user' }, { tool: 'create_event' }, { tool: 'update_shipping_address' }],
  },
  {
    name: 'logs-sse',
    ...listening('simpleSseServer'),
    isSse: true,
    questions: [{ tool: 'start-notification-stream', given: { interval: 1, count: 1 } }],
  },
  {
    name: 'stateless',
    ...listening('simpleStatelessStreamableHttp'),
    questions: [
      { tool: 'start-notification-stream', given: { interval: 1, count: 1 } },
      { uri: 'https://example.com/greetings/default' },
      { prompt: 'greeting-template', given: { name: 'Ada' } },
    ],
  },
  {
    name: 'json',
    ...listening('jsonResponseStreamableHttp'),
    questions: [{ tool: 'greet', given: { name: 'Ada' } }],
  },
  { name: 'tasks', ...listening('simpleTaskInteractive'), questions: [] },
  { name: 'polling', ...listening('ssePollingExample'), questions: [] },
];
