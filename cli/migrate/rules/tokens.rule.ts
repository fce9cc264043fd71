import type { Migration } from '../migration.js';

/** Injection tokens of the inside of release 1, which applications write as texts. */
const TOKENS = new Set(['MCP_OPTIONS', 'MCP_MODULE_ID']);

/** Marks what is injected by tokens that this package does not have. */
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
