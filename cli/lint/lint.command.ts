import type { StandardSchemaV1 } from '@modelcontextprotocol/client';
import {
  lintCatalog,
  SEVERITIES,
  type LintFinding,
  type LintReport,
} from '../../lib/core/lint/lint-catalog.js';
import { LISTED_KINDS, type ListedCatalog } from '../../lib/core/lint/read-catalog.js';
import { ExitCode, type Command, type Terminal } from '../command.interface.js';
import { findPage } from '../find-page.js';
import { readModuleCatalog } from '../module/module-catalog.js';
import { formatHelp, type Help } from '../help.js';
import { runSafely } from '../run-safely.js';
import { type CalledServer, selectRequestTimeout } from '../server/called-server.js';
import { explainFailure } from '../server/explain-failure.js';
import { LimitWaiting } from '../server/limit-waiting.js';
import { CONNECTION_EXIT_CODES } from '../server/server-options.js';
import { createTokenSource } from '../server/token-source.js';
import { withClient } from '../server/with-client.js';
import { formatVisibleJson, makeLine } from '../visible-text.js';
import { collectCatalog } from './collect-catalog.js';
import { LINT_OPTIONS, parseLintOptions, type LintTarget } from './lint-options.js';

/** Takes what a server lists without a check, since the linter is to judge it. */
const AS_IT_IS: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'nestjs-mcp', validate: (value) => ({ value }) },
};

/** Connects to a running server, and collects what it lists. */
async function readRunningCatalog(server: CalledServer, terminal: Terminal): Promise<ListedCatalog> {
  const tokenSource = createTokenSource(server, terminal);
  const requestTimeoutMs = selectRequestTimeout(server, terminal.status !== undefined);
  const waiting = new LimitWaiting(server.limitWaitMs, terminal);
  const options = { timeout: requestTimeoutMs };
  return withClient({ server, terminal, tokenSource, requestTimeoutMs, waiting }, async ({ client }) => {
    const capabilities = client.getServerCapabilities() ?? {};
    const words = { capabilities, instructions: client.getInstructions() };
    return collectCatalog(words, (method, params) => client.request({ method, params }, AS_IT_IS, options));
  });
}

/** The most findings of one rule, and the most sizes of tools, that are printed. */
const MOST_TOLD = 10;

const SEVERITY_WIDTH = 'warning'.length;
const NUMBER_WIDTH = 7;

/** Writes what was found for people: the worst first, a paragraph for each rule. */
function formatLint(report: LintReport): string {
  const rules = new Map<string, LintFinding[]>();
  for (const finding of report.findings) {
    const sameRule = rules.get(finding.rule);
    if (sameRule === undefined) rules.set(finding.rule, [finding]);
    else sameRule.push(finding);
  }
  return [...[...rules.values()].map(formatRule), formatSizes(report), formatSummary(report)]
    .filter((part) => part !== '')
    .join('\n\n');
}

function formatRule(findings: readonly LintFinding[]): string {
  const [first] = findings;
  if (first === undefined) return '';
  const told = findings.slice(0, MOST_TOLD).map((finding) => `  ${makeLine(formatFinding(finding))}`);
  if (findings.length > MOST_TOLD) told.push(`  and ${findings.length - MOST_TOLD} more`);
  return [
    `${first.severity.padEnd(SEVERITY_WIDTH)}  ${first.rule}`,
    ...told,
    `  -> ${makeLine(first.fix)}`,
  ].join('\n');
}

function formatFinding({ subject, path = '', found }: LintFinding): string {
  const who = subject === 'server' ? 'the server' : subject;
  return `${who} ${found}${path === '' ? '' : ` at ${path}`}`;
}

function formatSizes({ sizes, tokens }: LintReport): string {
  if (sizes.length === 0) return '';
  const rows = sizes.slice(0, MOST_TOLD).map(({ name, tokens: size }) => formatSize(size, makeLine(name)));
  const others = sizes.slice(MOST_TOLD);
  const sum = others.reduce((total, { tokens: size = 0 }) => total + size, 0);
  if (others.length > 0) rows.push(formatSize(sum, `${others.length} more`));
  return [
    `${'tokens'.padStart(NUMBER_WIDTH)}  tool`,
    ...rows,
    formatSize(tokens, 'in all, by an estimate'),
  ].join('\n');
}

function formatSize(tokens: number | undefined, text: string): string {
  return `${String(tokens ?? '?').padStart(NUMBER_WIDTH)}  ${text}`;
}

function formatSummary({ findings, isWhole }: LintReport): string {
  const counts = SEVERITIES.map((severity) => {
    const number = findings.filter((finding) => finding.severity === severity).length;
    return `${severity === 'advice' ? severity : `${severity}s`}: ${number}`;
  });
  const summary = `${counts.join(', ')}; ${findPage('lint.md')} has a section for each rule`;
  return isWhole ? summary : `${summary}\nThere is more in the lists than was judged`;
}

const HELP: Help = {
  usage: ['lint <url or file> [options]', 'lint [options] -- <command> [argument ...]'],
  description:
    'Lint what a server lists, as models and hosts see it. The server runs at a URL, is started by the command after "--", or is the app in a file such as dist/app.module.js, which is initialized but does not listen.',
  options: LINT_OPTIONS,
  acceptsConnection: true,
  exitCodes: {
    ...CONNECTION_EXIT_CODES,
    0: 'No errors; there may be warnings',
    1: 'Errors were found, or the server rejected the request',
    2: 'Invalid usage, or the app cannot be created',
  },
};

/** Judges what a server lists: `nestjs-mcp-cli lint <url or file>`. */
export const lintCommand: Command = {
  help: HELP,
  run: (args, terminal) =>
    runSafely({ args, terminal, usage: formatHelp(HELP), explain: explainFailure }, () =>
      runLint(args, terminal),
    ),
};

async function runLint(args: readonly string[], terminal: Terminal): Promise<number> {
  const { target, settings, json } = parseLintOptions(args, terminal.environment);
  const catalog = await readCatalog(target, terminal);
  const report = lintCatalog(catalog, settings);
  if (json) terminal.print(formatVisibleJson(report));
  else if (isEmpty(catalog)) terminal.complain('The server lists nothing that could be judged');
  else terminal.print(formatLint(report));
  return report.findings.some(({ severity }) => severity === 'error') ? ExitCode.failure : ExitCode.success;
}

function readCatalog(target: LintTarget, terminal: Terminal): Promise<ListedCatalog> {
  return 'running' in target ? readRunningCatalog(target.running, terminal) : readModuleCatalog(target);
}

function isEmpty(catalog: ListedCatalog): boolean {
  return LISTED_KINDS.every((kind) => (catalog[kind] ?? []).length === 0);
}
