import type { CallExpression } from 'ts-morph';
import type { Migration } from '../migration.js';
import { findObject, findProperty, getValue } from '../source/objects.js';
import { readTransports } from './endpoint-options.js';
import { runOnPipe } from './pipe-start.js';
import { findMetadata } from './import-server.js';

/** Migrates release 1's stdio, which a Nest application context served automatically. */
export function migratePipes(migration: Migration): void {
  const { SyntaxKind } = migration.facts.morph;
  for (const { file } of migration.files) {
    for (const call of file.getDescendantsOfKind(SyntaxKind.CallExpression)) {
      const isContext = call.getExpression().getText() === 'NestFactory.createApplicationContext';
      if (isContext && servesPipe(migration, call)) runOnPipe(migration, call);
    }
  }
}

/** Checks whether the root module imports a server with the stdio transport. */
function servesPipe(migration: Migration, start: CallExpression): boolean {
  const { morph } = migration.facts;
  const metadata = findMetadata(migration, start.getArguments()[0]);
  if (metadata === undefined) return false;
  const file = migration.fileOf(metadata);
  return metadata.getDescendantsOfKind(morph.SyntaxKind.CallExpression).some((call) => {
    const access = call.getExpression();
    if (!morph.Node.isPropertyAccessExpression(access) || access.getName() !== 'forRoot') return false;
    if (file.nameOf(access.getExpression()) !== 'McpModule') return false;
    const options = findObject(call.getArguments()[0], morph);
    const transport = options && getValue(findProperty(options, 'transport', morph), morph);
    return readTransports(transport, file)?.includes('stdio') === true;
  });
}
