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

/** Accepts lists without validation, because the linter checks them. */
const AS_IT_IS: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'nestjs-mcp', validate: (value) => ({ value }) },
};

/** Connects to a running server, and collects its lists. */
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

/** The maximum number of findings per rule, and of tool sizes, to print. */
const MOST_TOLD = 10;

const SEVERITY_WIDTH = 'warning'.length;
const NUMBER_WIDTH = 7;

/** Formats the findings for a person: most severe first, with a paragraph per rule. */
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
  const reported = findings.slice(0, MOST_TOLD).map((finding) => `  ${makeLine(formatFinding(finding))}`);
  if (findings.length > MOST_TOLD) reported.push(`  and ${findings.length - MOST_TOLD} more`);
  return [
    `${first.severity.padEnd(SEVERITY_WIDTH)}  ${first.rule}`,
    ...reported,
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
    formatSize(tokens, 'in total (estimate)'),
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
  return isWhole ? summary : `${summary}\nThe lists are too long: only their first entries were checked`;
}

const HELP: Help = {
  usage: ['lint <url or file> [options]', 'lint [options] -- <command> [argument ...]'],
  description:
    'Lint the tools, prompts and resources of a server, as models and hosts see them. Pass the URL of a running server, the command that starts a stdio server after "--", or a file with the app, such as dist/app.module.js, which is initialized but does not listen.',
  options: LINT_OPTIONS,
  acceptsConnection: true,
  exitCodes: {
    ...CONNECTION_EXIT_CODES,
    0: 'No errors; there may be warnings',
    1: 'Errors were found, or the server rejected the request',
    2: 'Invalid usage, or the app cannot be created',
  },
};

/** Lints a server's lists: `nestjs-mcp-cli lint <url or file>`. */
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
  else if (isEmpty(catalog)) terminal.complain('The server lists nothing to check');
  else terminal.print(formatLint(report));
  return report.findings.some(({ severity }) => severity === 'error') ? ExitCode.failure : ExitCode.success;
}

function readCatalog(target: LintTarget, terminal: Terminal): Promise<ListedCatalog> {
  return 'running' in target ? readRunningCatalog(target.running, terminal) : readModuleCatalog(target);
}

function isEmpty(catalog: ListedCatalog): boolean {
  return LISTED_KINDS.every((kind) => (catalog[kind] ?? []).length === 0);
}
