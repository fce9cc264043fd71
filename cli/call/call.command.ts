import type { Client, JSONRPCMessage, Tool } from '@modelcontextprotocol/client';
import { wrapTaskAsError, findTask } from '../../lib/client/tasks/task-response.js';
import { TASKS_EXTENSION } from '../../lib/core/protocol/meta-keys.js';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { ExitCode, type Command, type Terminal } from '../command.interface.js';
import type { Keyboard } from '../line-keyboard.js';
import { formatHelp, type Help } from '../help.js';
import { runSafely } from '../run-safely.js';
import { explainFailure } from '../server/explain-failure.js';
import { LimitWaiting } from '../server/limit-waiting.js';
import { type ConnectedClient, listTools, withClient } from '../server/with-client.js';
import { selectRequestTimeout } from '../server/called-server.js';
import { CONNECTION_EXIT_CODES } from '../server/server-options.js';
import { createTokenSource } from '../server/token-source.js';
import { UsageError } from '../usage.error.js';
import { formatVisibleJson, makeLine, quoteVisible } from '../visible-text.js';
import { buildArguments } from './build-arguments.js';
import { CALL_OPTIONS, parseCallOptions, type CallOptions } from './call-options.js';
import { Elicitor } from './elicitor.js';
import { followTask } from './follow-task.js';
import { formatResult, type ToolOutcome } from './format-result.js';
import { Interrupt } from './interrupt.js';
import type { CallProgress } from './progress-bar.js';
import { ProgressDisplay } from './progress-display.js';
import { InactivityTimeout } from './inactivity-timeout.js';

/** What to do if a tool requires elicitation and there is no terminal. */
const HOW_TO_BE_ASKED = 'run the command in a terminal, or pass "--interactive"';

/** Matches servers' error messages, because there is no error code for this in a session. */
const LACK = /\bclient\b.{0,40}\b(?:did not declare|does not support)\b.{0,60}\belicitation\b/is;

/** Thrown if a server rejects a call that requires elicitation. */
class ElicitationRequiredError extends Error {
  override readonly name = 'UnaskedError';
  readonly code: unknown;

  constructor(cause: Error) {
    super(`${makeLine(cause.message)}: ${HOW_TO_BE_ASKED}`, { cause });
    this.code = (cause as { readonly code?: unknown }).code;
  }
}

/** Returns whether a server rejects a call because the client does not support elicitation. */
function isUnasked(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code, data } = error as { readonly code?: unknown; readonly data?: unknown };
  if (typeof code !== 'number') return false;
  const required = isObject(data) ? data['requiredCapabilities'] : undefined;
  return saysUnasked(error.message) || (isObject(required) && 'elicitation' in required);
}

/** Returns whether a server's message reports that the client does not support elicitation. */
function saysUnasked(text: string): boolean {
  return LACK.test(text);
}

const HELP: Help = {
  usage: [
    'call <url> <tool> [key=value ...] [options]',
    'call <tool> [key=value ...] [options] -- <command> [argument ...]',
  ],
  description: 'Call a tool, show its progress, and answer its elicitation requests at the terminal.',
  operands: {
    'key=value': "Argument, converted according to the tool's input schema; repeat a key to pass a list",
  },
  options: CALL_OPTIONS,
  acceptsConnection: true,
  exitCodes: CONNECTION_EXIT_CODES,
};

/** Calls one of a server's tools: `nestjs-mcp-cli call <url> <tool> key=value`. */
export const callCommand: Command = {
  help: HELP,
  run: (args, terminal) =>
    runSafely({ args, terminal, usage: formatHelp(HELP), explain: explainFailure }, () =>
      runCall(args, terminal),
    ),
};

async function runCall(args: readonly string[], terminal: Terminal): Promise<number> {
  const options = parseCallOptions(args, terminal.environment);
  const { server } = options;
  const keyboard = selectKeyboard(options, terminal);
  const elicitor = keyboard && new Elicitor(terminal, keyboard);
  const display = new ProgressDisplay(terminal);
  const capabilities = {
    ...(elicitor && { elicitation: Elicitor.capabilities }),
    extensions: { [TASKS_EXTENSION]: {} },
  };
  const tokenSource = createTokenSource(server, terminal);
  const isPersonInvolved = elicitor !== undefined || terminal.status !== undefined;
  const requestTimeoutMs = selectRequestTimeout(server, isPersonInvolved);
  const waiting = new LimitWaiting(server.limitWaitMs, terminal);
  const inactivity = new InactivityTimeout(isPersonInvolved ? undefined : server.timeoutMs);
  const interrupt = new Interrupt();
  // Shuts down a server process gracefully even while it starts.
  const isStarted = !('url' in server);
  if (isStarted) interrupt.begin();
  const outcome = await withClient(
    {
      server,
      terminal,
      tokenSource,
      requestTimeoutMs,
      waiting,
      capabilities,
      prepare: (client) => elicitor?.attach(client),
      interrupted: interrupt.signal,
    },
    (connected) => {
      if (!isStarted) interrupt.begin();
      return callTool({
        connected,
        options,
        requestTimeoutMs,
        waiting,
        display,
        elicitor,
        inactivity,
        interrupt,
      });
    },
  ).finally(() => {
    display.end();
    interrupt.end();
  });
  const exitCode = report(outcome, options, terminal);
  const isUnheard = elicitor === undefined && outcome.isError === true && saysUnasked(formatResult(outcome));
  if (isUnheard) terminal.complain(`To answer elicitation requests, ${HOW_TO_BE_ASKED}`);
  return exitCode;
}

/** Without a terminal, the client does not declare elicitation, so that the server can adapt. */
function selectKeyboard({ isInteractive }: CallOptions, { keyboard }: Terminal): Keyboard | undefined {
  return isInteractive || keyboard?.isTerminal === true ? keyboard : undefined;
}

interface Call {
  readonly connected: ConnectedClient;
  readonly options: CallOptions;
  readonly requestTimeoutMs: number;
  readonly waiting: LimitWaiting;
  readonly display: ProgressDisplay;
  readonly elicitor: Elicitor | undefined;
  readonly inactivity: InactivityTimeout;
  readonly interrupt: Interrupt;
}

async function callTool(call: Call): Promise<ToolOutcome> {
  const {
    connected,
    options,
    requestTimeoutMs: timeout,
    waiting,
    display,
    elicitor,
    inactivity,
    interrupt,
  } = call;
  const { client } = connected;
  const { signal } = interrupt;
  const { timeoutMs } = options.server;
  const tool = getTool(options.tool, await listTools(client, { timeout, signal }));
  const params = {
    name: tool.name,
    arguments: buildArguments(options.given, tool.inputSchema),
    ...(needsTask(tool) && { task: {} }),
  };
  watchMessages(client, (progress) => {
    display.update(progress);
    inactivity.renew();
  });
  try {
    const request = {
      timeout,
      signal,
      resetTimeoutOnProgress: true,
      // Without a handler, the server sends no progress. Progress is shown as it arrives.
      onprogress: () => undefined,
    };
    return await waiting.run(() => client.callTool(params, request), signal);
  } catch (error) {
    if (elicitor === undefined && isUnasked(error)) throw new ElicitationRequiredError(error);
    const task = findTask(error);
    if (task === undefined) throw error;
    return followTask(task, { client, display, elicitor, timeoutMs, inactivity, interrupt });
  }
}

/** Returns whether a 2025-11-25 server rejects calls that do not request a task. In 2026-07-28, the server decides itself. */
function needsTask({ execution }: Tool & { readonly execution?: unknown }): boolean {
  return isObject(execution) && execution['taskSupport'] === 'required';
}

function getTool(name: string, tools: readonly Tool[]): Tool {
  const tool = tools.find((one) => one.name === name);
  if (tool !== undefined) return tool;
  const names = tools.length === 0 ? 'none' : tools.map((one) => quoteVisible(one.name)).join(', ');
  throw new UsageError(`The server has no tool ${quoteVisible(name)}: it has ${names}`);
}

function report(outcome: ToolOutcome, { isRaw }: CallOptions, terminal: Terminal): number {
  const isError = outcome.isError === true;
  const text = isRaw ? formatVisibleJson(outcome) : formatResult(outcome);
  if (isError && !isRaw)
    terminal.complain(text === '' ? 'The tool reported an error without a message' : text);
  else if (text !== '') terminal.print(text);
  return isError ? ExitCode.failure : ExitCode.success;
}

/**
 * Reads messages before the official client does. Shows progress exactly as the server sent it, without the
 * client's own reports, and recognizes tasks.
 */
function watchMessages(client: Client, onProgress: (progress: CallProgress) => void): void {
  const { transport } = client;
  const receive = transport?.onmessage;
  if (transport === undefined || receive === undefined) return;
  transport.onmessage = (message, extra) => {
    const progress = findProgress(message);
    if (progress !== undefined) onProgress(progress);
    receive(wrapTaskAsError(message), extra);
  };
}

/** There is only one call, so all progress belongs to it. */
function findProgress(message: JSONRPCMessage): CallProgress | undefined {
  if (!('method' in message) || message.method !== 'notifications/progress') return undefined;
  const { params } = message;
  if (!isObject(params) || typeof params['progress'] !== 'number') return undefined;
  const { progress, total, message: text } = params;
  return {
    progress,
    total: typeof total === 'number' ? total : undefined,
    message: typeof text === 'string' ? text : undefined,
  };
}
