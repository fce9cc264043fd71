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

Measure how fast a running server responds: calls, lists, handshakes, and notifications on open streams. Each result is compared with
a baseline: a node:http server on this machine that writes the same bytes.

  --tool <name>                tool to call thousands of times (default: the first read-only tool without required arguments)
  --arguments <json>           its arguments, a JSON object (default: {})
  --notify-tool <tool>         tool whose calls send a notification to every open stream
  --notify-arguments <json>    its arguments, a JSON object (default: {})
  --subscribe <uri>            resource that it changes, if it does not change a list
  --seconds <number>           approximate duration of the run (default: ${AMOUNTS.seconds.usual})
  --connections <number>       number of concurrent requests (default: ${AMOUNTS.connections.usual})
  --streams <number>           number of streams that receive the notification (default: ${AMOUNTS.streams.usual})
  --remote                     allow load on another machine; pass it only with its owner's consent
  --json                       print all measurements as JSON
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
    if (interrupt.signal.aborted) terminal.complain('Interrupted: these are the measurements so far');
    terminal.print(options.json ? formatVisibleJson(buildBenchJson(report)) : formatBench(report));
    if (report.failure !== undefined) throw report.failure;
    return selectExitCode(report);
  } finally {
    interrupt.end();
  }
}

/** Failed workloads count as a failure; workloads that do not apply or were not requested do not. */
function selectExitCode({ rows, leftOut }: BenchReport): number {
  const isFailed = rows.length === 0 || leftOut.some((one) => one.isFailed);
  return isFailed ? ExitCode.failure : ExitCode.success;
}

function warnOfLoad({ server, seconds }: BenchOptions, terminal: Terminal): void {
  terminal.complain(
    `Putting load on ${server.url.host} for about ${seconds} s. Press Ctrl-C to stop. The ratios include the network between the server and this machine.`,
  );
}

function explainBench(error: unknown): Failure | undefined {
  if (error instanceof MeasurementError)
    return { exitCode: ExitCode.failure, message: `Nothing was measured: ${error.message}` };
  return explainFailure(error);
}
