import type { Examination } from '../../lib/core/doctor/examine-target.js';
import type { Finding, FindingStatus } from '../../lib/core/doctor/finding.js';
import { ExitCode, type Command, type Terminal } from '../command.interface.js';
import { runSafely } from '../run-safely.js';
import { STARTED_USAGE } from '../server/called-server.js';
import { explainFailure } from '../server/explain-failure.js';
import { HEADER_USAGE } from '../server/header-options.js';
import { formatVisibleJson } from '../visible-text.js';
import { addKeptToken } from './add-kept-token.js';
import { examineProcess, SKIPPED_CHECKS } from './channel/examine-process.js';
import { parseDoctorOptions } from './doctor-options.js';
import { examine } from './examine.js';
import { examineModule } from './production/examine-module.js';

const STATUS_WIDTH = 'warning'.length;
const ID_WIDTH = 'server-registration'.length;

/** Writes findings for people: a line for each, and what to do below. */
function formatReport(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ id, status, found, remedy }) => [
    `${status.padEnd(STATUS_WIDTH)}  ${id.padEnd(ID_WIDTH)}  ${found}`,
    ...(remedy === '' ? [] : [`${' '.repeat(STATUS_WIDTH + ID_WIDTH + 4)}-> ${remedy}`]),
  ]);
  const numberOf = (wanted: FindingStatus) => findings.filter(({ status }) => status === wanted).length;
  const left = numberOf('skipped');
  const counts = [
    count(numberOf('fault'), 'fault'),
    count(numberOf('warning'), 'warning'),
    ...(left > 0 ? [`${left} skipped`] : []),
  ].join(', ');
  return [...lines, '', `${count(findings.length, 'check')}: ${counts}`].join('\n');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

const USAGE = `Usage: nestjs-mcp-cli doctor <url or file> [options]
       nestjs-mcp-cli doctor [options] -- <command> [argument ...]

Probes a running server as a client would, and names each fault with what to do about it. With "--production", it examines the
application of a file too, such as dist/app.module.js. A server of standard input and output is started by the command behind "--".

  --token <token>              an access token; better in the variable MCP_TOKEN, which no list of processes shows
  --token-env <name>           the variable that has an access token; without one the login that is kept is used
${HEADER_USAGE}
  --insecure-host <host>       a host that may be called by plain http when the kept login is used; may come several times
  --ignore-issuer-slash        treat issuers as equal if they differ only by a slash at the end
${STARTED_USAGE}
  --json                       print an array of { id, status, found, remedy }
  --timeout <ms>               how long each answer may take (10000)
  --production                 examine what matters in production; with a file such as dist/app.module.js: what its settings say
  --probe <path>               a path that health checks ask, for --production (/live and /ready); may come several times
  --public-url <url>           the URL by which clients know the server, if another one is asked
  --origin <origin>            the origin of the web page that shall be able to call (http://localhost:6274, the MCP Inspector)

Exit codes: 0 healthy, warnings included; 1 faults; 2 wrong usage, or the server cannot be reached`;

/** Probes a running server as a client would: `nestjs-mcp-cli doctor <url>`. */
export const doctorCommand: Command = {
  run: (args, terminal) =>
    runSafely({ args, terminal, usage: USAGE, explain: explainFailure }, () => runDoctor(args, terminal)),
};

async function runDoctor(args: readonly string[], terminal: Terminal): Promise<number> {
  const options = parseDoctorOptions(args, terminal.environment);
  const examination = await examineAny(options, terminal);
  const { findings } = examination;
  terminal.print(options.json ? formatVisibleJson(findings) : formatReport(findings));
  const isSkipping = 'started' in options && examination.isReached && !options.json;
  if (isSkipping)
    terminal.print(`Skipped, since a server that is started has no URL: ${SKIPPED_CHECKS.join(', ')}`);
  return selectExitCode(examination);
}

async function examineAny(
  options: ReturnType<typeof parseDoctorOptions>,
  terminal: Terminal,
): Promise<Examination> {
  if ('started' in options) return examineProcess(options.started);
  if ('module' in options) return { findings: await examineModule(options.module), isReached: true };
  return examine(await addKeptToken(options, terminal));
}

function selectExitCode({ findings, isReached }: Examination): number {
  if (!isReached) return ExitCode.usage;
  return findings.some(({ status }) => status === 'fault') ? ExitCode.failure : ExitCode.success;
}
