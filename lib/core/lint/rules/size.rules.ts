import type { LintLimits, LintProblem, LintRule } from '../lint-rule.js';
import type { ReadCatalog } from '../read-catalog.js';

/** With more tools, search serves models better than a list. */
export const MOST_TOOLS = 100;

/** The token limit of one tool's description and schema. */
const MOST_TOOL_TOKENS = 1_000;

/** The costs that every conversation pays. */
export const SIZE_RULES: readonly LintRule[] = [
  { id: 'tool-tokens', severity: 'warning', find: findLargeTools },
  { id: 'list-tokens', severity: 'warning', find: findLargeList },
  { id: 'too-many-tools', severity: 'warning', find: findManyTools },
];

/** Returns the total number of tokens across all tools. */
export function sumTokens({ tools }: Pick<ReadCatalog, 'tools'>): number {
  return tools.reduce((sum, { tokens = 0 }) => sum + tokens, 0);
}

function* findLargeTools({ tools }: ReadCatalog): Generator<LintProblem> {
  for (const { subject, tokens = 0 } of tools) {
    if (tokens <= MOST_TOOL_TOKENS) continue;
    yield {
      subject,
      found: `costs about ${tokens} tokens in every conversation`,
      fix: 'Shorten its descriptions, remove rarely used parameters, or split the tool',
    };
  }
}

function* findLargeList(catalog: ReadCatalog, { maxTokens }: LintLimits): Generator<LintProblem> {
  const tokens = sumTokens(catalog);
  if (tokens <= maxTokens) return;
  yield {
    subject: 'server',
    found: `lists tools that take about ${tokens} tokens, more than ${maxTokens}`,
    fix: 'Let models search for tools ("catalog.search" in nestjs-mcp), split them across several endpoints, or shorten them',
  };
}

function* findManyTools({ tools }: ReadCatalog): Generator<LintProblem> {
  if (tools.length <= MOST_TOOLS) return;
  yield {
    subject: 'server',
    found: `lists ${tools.length} tools: models choose poorly among more than ${MOST_TOOLS}`,
    fix: 'Let models search for tools ("catalog.search" in nestjs-mcp), or split them across several endpoints',
  };
}
