import type { CallExpression, Node } from 'ts-morph';
import type { SourceMigration } from '../source/source-migration.js';

const CONNECTING = /\.(?:setHttpAdapter|connectMicroservice|createMicroservice)$/;

/** Finds `strategy.setHttpAdapter(…)`, or the call that is given `{ strategy }`. */
export function findConnectingCall({ facts }: SourceMigration, use: Node): CallExpression | undefined {
  const call = use.getFirstAncestorByKind(facts.morph.SyntaxKind.CallExpression);
  return call !== undefined && CONNECTING.test(call.getExpression().getText()) ? call : undefined;
}
