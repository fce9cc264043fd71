import { assertRule, SEVERITIES, USUAL_TOKENS, type LintSettings } from '../../lib/core/lint/lint-catalog.js';
import type { LintSeverity } from '../../lib/core/lint/lint-rule.js';
import type { ModuleTarget } from '../module/module-catalog.js';
import { parseScope } from '../../lib/core/oauth/scope.js';
import type { Terminal } from '../command.interface.js';
import { quoteAll } from '../../lib/core/words/words.js';
import { findPage } from '../find-page.js';
import { flagOption, listOption, valueOption } from '../help.js';
import { parseArguments } from '../parse-arguments.js';
import {
  parseOnlyServer,
  splitCommand,
  STARTED_OPTIONS,
  type CalledServer,
} from '../server/called-server.js';
import { isUrl, parseUrlOrFile, type AllowedOptions } from '../server/parse-url-or-file.js';
import { SERVER_OPTIONS } from '../server/server-options.js';
import { UsageError } from '../usage.error.js';
import { quoteVisible } from '../visible-text.js';

/** The server to lint. */
export type LintTarget = { readonly running: CalledServer } | ModuleTarget;

/** The command's options. */
export interface LintOptions {
  readonly target: LintTarget;
  readonly settings: LintSettings;
  readonly json: boolean;
}

/** The options that only `lint` has. */
export const LINT_OPTIONS = {
  rule: listOption(
    '<id>=<severity>',
    'Set the severity of a rule to "error", "warning" or "advice", or turn it "off"',
  ),
  'max-tokens': valueOption('<number>', 'Token limit for the tool list', String(USUAL_TOKENS)),
  json: flagOption('Print { findings, sizes, tokens, isWhole } as JSON'),
  server: valueOption('<key>', 'Key of the server, if the app in the file has several'),
};

const OPTIONS = { ...SERVER_OPTIONS, ...STARTED_OPTIONS, ...LINT_OPTIONS } as const;

const ALLOWED_OPTIONS: AllowedOptions = {
  ofUrls: Object.keys(OPTIONS).filter((name) => name !== 'server'),
  ofFiles: [...Object.keys(LINT_OPTIONS), 'scope'],
};

/**
 * Reads the command's arguments.
 *
 * @throws {UsageError} if they are invalid
 */
export function parseLintOptions(args: readonly string[], environment: Terminal['environment']): LintOptions {
  const { own, command } = splitCommand(args);
  const { values, positionals } = parseArguments(own, OPTIONS);
  const { rule = [], json = false } = values;
  const settings = {
    rules: Object.fromEntries(rule.map(parseRule)),
    maxTokens: parseTokens(values['max-tokens']),
  };
  return { target: parseTarget({ positionals, command }, values, environment), settings, json };
}

function parseTarget(
  named: Parameters<typeof parseOnlyServer>[0],
  values: ReturnType<typeof parseArguments<typeof OPTIONS>>['values'],
  environment: Terminal['environment'],
): LintTarget {
  if (named.command !== undefined && values.server !== undefined)
    throw new UsageError('"--server" applies only to the app in a file');
  if (named.command !== undefined) return { running: parseOnlyServer(named, values, environment) };
  const target = parseUrlOrFile(named.positionals, values, ALLOWED_OPTIONS);
  if (isUrl(target)) return { running: parseOnlyServer(named, values, environment) };
  const scopes = (values.scope ?? []).flatMap(parseScope);
  return { file: target, key: values.server, scopes };
}

function parseRule(text: string): [id: string, level: LintSeverity | 'off'] {
  const [id = '', level = ''] = text.split('=', 2);
  const levels = [...SEVERITIES, 'off'] as const;
  const known = levels.find((one) => one === level);
  if (known === undefined) {
    const listed = quoteAll(levels);
    throw new UsageError(
      `"--rule" must be the id of a rule, "=" and one of ${listed}, but is ${quoteVisible(text)}`,
    );
  }
  try {
    assertRule(id);
  } catch (cause) {
    throw new UsageError((cause as Error).message.replace('the page "Lint"', findPage('lint.md')), { cause });
  }
  return [id, known];
}

function parseTokens(text: string | undefined): number {
  if (text === undefined) return USUAL_TOKENS;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError('"--max-tokens" must be a whole number of tokens, at least 1');
}
