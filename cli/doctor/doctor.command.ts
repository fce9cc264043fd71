import { type Examination, examineTarget } from '../../lib/core/doctor/examine-target.js';
import type { Finding, FindingStatus } from '../../lib/core/doctor/finding.js';
import { ExitCode, type Command, type Terminal } from '../command.interface.js';
import { formatHelp, type Help } from '../help.js';
import { runSafely } from '../run-safely.js';
import { explainFailure } from '../server/explain-failure.js';
import { formatVisibleJson } from '../visible-text.js';
import { addStoredToken } from './add-stored-token.js';
import { examineProcess, SKIPPED_CHECKS, WITHOUT_URL } from './channel/examine-process.js';
import { DOCTOR_OPTIONS, type DoctorOptions, parseDoctorOptions } from './doctor-options.js';
import { ChannelWire } from './channel/channel-wire.js';
import { loadSseChannels } from './channel/sse-channel.js';
import { CHECKS } from './checks.js';
import { PRODUCTION_CHECKS } from './checks/production.checks.js';
import { createTarget } from './create-target.js';
import { existsSync } from 'node:fs';
import { readModuleReport } from '../module/module-report.js';
import { checkServerJson } from '../server-json/check-server-json.js';
import { SERVER_JSON } from '../server-json/server-json-files.js';

const STATUS_WIDTH = 'warning'.length;
const ID_WIDTH = 'server-registration'.length;

/** Formats findings for a person: each on one line, with its fix below. */
function formatReport(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ id, status, found, fix }) => [
    `${status.padEnd(STATUS_WIDTH)}  ${id.padEnd(ID_WIDTH)}  ${found}`,
    ...(fix === '' ? [] : [`${' '.repeat(STATUS_WIDTH + ID_WIDTH + 4)}-> ${fix}`]),
  ]);
  const numberOf = (wanted: FindingStatus) => findings.filter(({ status }) => status === wanted).length;
  const left = numberOf('skipped');
  const counts = [
    count(numberOf('error'), 'error'),
    count(numberOf('warning'), 'warning'),
    ...(left > 0 ? [`${left} skipped`] : []),
  ].join(', ');
  return [...lines, '', `${count(findings.length, 'check')}: ${counts}`].join('\n');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

const HELP: Help = {
  usage: ['doctor <url or file> [options]', 'doctor [options] -- <command> [argument ...]'],
  description:
    'Examine a running server as a client sees it, and explain how to fix each problem. The command after "--" starts a stdio server. With --production, also examine the settings of the app in a file such as dist/app.module.js.',
  options: DOCTOR_OPTIONS,
  exitCodes: {
    0: 'No errors; there may be warnings',
    1: 'Errors were found',
    2: 'Invalid usage, or the server is unavailable',
  },
};

/** Probes a running server as a client would: `nestjs-mcp-cli doctor <url>`. */
export const doctorCommand: Command = {
  help: HELP,
  run: (args, terminal) =>
    runSafely({ args, terminal, usage: formatHelp(HELP), explain: explainFailure }, () =>
      runDoctor(args, terminal),
    ),
};

async function runDoctor(args: readonly string[], terminal: Terminal): Promise<number> {
  const options = parseDoctorOptions(args, terminal.environment);
  const examination = await examineAny(options, terminal);
  const { findings } = examination;
  terminal.print(options.json ? formatVisibleJson(findings) : formatReport(findings));
  const isSkipping = 'started' in options && examination.isReached && !options.json;
  if (isSkipping) terminal.print(`Skipped, because a stdio server has no URL: ${SKIPPED_CHECKS.join(', ')}`);
  return selectExitCode(examination);
}

async function examineAny(
  options: ReturnType<typeof parseDoctorOptions>,
  terminal: Terminal,
): Promise<Examination> {
  if ('started' in options) return examineProcess(options.started);
  if ('module' in options) return { findings: await examineModule(options.module), isReached: true };
  return examine(await addStoredToken(options, terminal));
}

function selectExitCode({ findings, isReached }: Examination): number {
  if (!isReached) return ExitCode.usage;
  return findings.some(({ status }) => status === 'error') ? ExitCode.failure : ExitCode.success;
}

/** Examines a server from the command line. */
export async function examine(options: DoctorOptions): Promise<Examination> {
  const checks = options.isForProduction === true ? [...CHECKS, ...PRODUCTION_CHECKS] : CHECKS;
  const examination = await examineTarget(createTarget(options), checks);
  const last = examination.findings.at(-1);
  const isOverSse = last?.id === 'path' && last.status === 'warning';
  return isOverSse
    ? { ...examination, findings: [...examination.findings, ...(await examineOverSse(options))] }
    : examination;
}

/** Runs the checks that work over any transport. */
async function examineOverSse(options: DoctorOptions): Promise<readonly Finding[]> {
  const wire = new ChannelWire(await loadSseChannels(options), options.timeoutMs);
  try {
    return (await examineTarget(createTarget(options, wire), WITHOUT_URL)).findings;
  } finally {
    await wire.close();
  }
}

/**
 * Examines the application's settings in a file, and the `server.json` of this folder if there is one.
 *
 * @throws {UsageError} if the file or its export does not exist
 * @throws {AnalysisError} if the application cannot be created
 */
export async function examineModule(target: string): Promise<readonly Finding[]> {
  const { findings, servers } = await readModuleReport(target);
  if (servers.length === 0 || !existsSync(SERVER_JSON)) return findings;
  return [...findings, { id: 'server-json', ...checkServerJson(servers) }];
}
