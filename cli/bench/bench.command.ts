import { Interrupt } from '../call/interrupt.js';
import { ExitCode, type Command, type Terminal } from '../command.interface.js';
import { runSafely, type Failure } from '../run-safely.js';
import { explainFailure } from '../server/explain-failure.js';
import { EXIT_CODES, SERVER_USAGE } from '../server/server-options.js';
import { formatVisibleJson } from '../visible-text.js';
import { AMOUNTS, parseBenchOptions, type BenchOptions } from './bench-options.js';
import { buildBenchJson, formatBench } from './format-bench.js';
import { measureServer, type BenchReport } from './measure-server.js';
import { MeasurementError } from './measurement.error.js';

const USAGE = `Usage: nestjs-mcp-cli bench <url> [options]

Measures how fast a running server answers: calls, lists, handshakes, and messages on open streams. Each is compared with a bare
server of node:http, which runs on this machine and writes the same bytes.

  --tool <name>                the tool to call thousands of times (the first that only reads and needs no arguments)
  --arguments <json>           its arguments, an object in JSON ({})
  --notify-tool <tool>         a tool whose calls send a notification to every open stream
  --notify-arguments <json>    its arguments, an object in JSON ({})
  --subscribe <uri>            the resource that it changes, if it changes no list
  --seconds <number>           about how long everything takes (${AMOUNTS.seconds.usual})
  --connections <number>       how many requests run at once (${AMOUNTS.connections.usual})
  --streams <number>           how many streams receive the notification (${AMOUNTS.streams.usual})
  --remote                     put load on a server of another machine: do so only if its owner agrees
  --json                       print everything that was measured as JSON
${SERVER_USAGE}

${EXIT_CODES}`;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Measures a running server: `nestjs-mcp-cli bench <url>`. */
export const benchCommand: Command = {
  run: (args, terminal) =>
    runSafely({ args, terminal, usage: USAGE, explain: explainBench }, () => runBench(args, terminal)),
};

async function runBench(args: readonly string[], terminal: Terminal): Promise<number> {
  const options = parseBenchOptions(args, terminal.environment);
  if (options.isRemote) warnOfLoad(options, terminal);
  const interrupt = new Interrupt(SIGNALS);
  const onLoad = () => {
    interrupt.begin();
    return interrupt.signal;
  };
  try {
    const report = await measureServer(options, terminal, { onLoad });
    terminal.status?.show('');
    if (interrupt.signal.aborted) terminal.complain('Interrupted: this is what was measured before');
    terminal.print(options.json ? formatVisibleJson(buildBenchJson(report)) : formatBench(report));
    if (report.failure !== undefined) throw report.failure;
    return selectExitCode(report);
  } finally {
    interrupt.end();
  }
}

/** A measurement that was tried and did not work is a failure. A missing or unrequested one is not. */
function selectExitCode({ rows, leftOut }: BenchReport): number {
  const isFailed = rows.length === 0 || leftOut.some((one) => one.isFailed);
  return isFailed ? ExitCode.failure : ExitCode.success;
}

function warnOfLoad({ server, seconds }: BenchOptions, terminal: Terminal): void {
  terminal.complain(
    `Putting load on ${server.url.host} for about ${seconds} s: Ctrl-C ends it. Its ratios include the network between it and this machine.`,
  );
}

function explainBench(error: unknown): Failure | undefined {
  if (error instanceof MeasurementError)
    return { exitCode: ExitCode.failure, message: `Nothing was measured: ${error.message}` };
  return explainFailure(error);
}
