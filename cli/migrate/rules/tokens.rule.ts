import type { Migration } from '../migration.js';

/** Internal release 1 injection tokens, which applications write as strings. */
const TOKENS = new Set(['MCP_OPTIONS', 'MCP_MODULE_ID']);

/** Marks injection tokens that this package does not have. */
export function migrateTokens(migration: Migration): void {
  for (const file of migration.files) {
    const { SyntaxKind } = file.facts.morph;
    if (!file.text.includes('MCP_')) continue;
    for (const literal of file.file.getDescendantsOfKind(SyntaxKind.StringLiteral)) {
      const token = literal.getLiteralValue();
      const isProvided = token === 'MCP_OPTIONS' && migration.access?.hasGuardOptions === true;
      if (TOKENS.has(token) && !isProvided) file.decide(literal, 'internals');
    }
  }
}
