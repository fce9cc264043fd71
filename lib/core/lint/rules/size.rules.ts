import type { LintBounds, LintFault, LintRule } from '../lint-rule.interface.js';
import type { ReadCatalog } from '../read-catalog.js';

/** With more, a search serves models better than a list. */
export const MOST_TOOLS = 100;

/** What the description and the schema of one tool may take. */
const MOST_TOOL_TOKENS = 1_000;

/** What every conversation pays. */
export const SIZE_RULES: readonly LintRule[] = [
  { id: 'tool-tokens', severity: 'warning', find: findLargeTools },
  { id: 'list-tokens', severity: 'warning', find: findLargeList },
  { id: 'too-many-tools', severity: 'warning', find: findManyTools },
];

/** Adds up what a model is told about all tools. */
export function sumTokens({ tools }: Pick<ReadCatalog, 'tools'>): number {
  return tools.reduce((sum, { tokens = 0 }) => sum + tokens, 0);
}

function* findLargeTools({ tools }: ReadCatalog): Generator<LintFault> {
  for (const { subject, tokens = 0 } of tools) {
    if (tokens <= MOST_TOOL_TOKENS) continue;
    yield {
      subject,
      found: `takes about ${tokens} tokens of every conversation`,
      fix: 'Shorten its texts, take out parameters that few need, or make it several tools',
    };
  }
}

function* findLargeList(catalog: ReadCatalog, { maxTokens }: LintBounds): Generator<LintFault> {
  const tokens = sumTokens(catalog);
  if (tokens <= maxTokens) return;
  yield {
    subject: 'server',
    found: `lists tools of about ${tokens} tokens, more than ${maxTokens}`,
    fix: 'Have tools searched ("catalog.search" of nestjs-mcp), serve parts of them at several endpoints, or shorten them',
  };
}

function* findManyTools({ tools }: ReadCatalog): Generator<LintFault> {
  if (tools.length <= MOST_TOOLS) return;
  yield {
    subject: 'server',
    found: `lists ${tools.length} tools: models choose badly among more than ${MOST_TOOLS}`,
    fix: 'Have tools searched ("catalog.search" of nestjs-mcp), or serve parts of them at several endpoints',
  };
}
