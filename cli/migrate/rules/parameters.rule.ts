import type { Decorator, MethodDeclaration, Node } from 'ts-morph';
import type { Migration } from '../migration.js';
import { findHandlers } from '../source/handlers.js';
import type { SourceMigration } from '../source/source-migration.js';

const NEST = '@nestjs/common';

/** Decorates the parameters of handlers that receive the request, and renames existing decorators. */
export function migrateParameters(migration: Migration): void {
  for (const file of migration.files) {
    for (const method of findHandlers(file)) {
      const parameters = method.getParameters();
      const isDecorated = parameters.some((parameter) => parameter.getDecorators().length > 0);
      if (isDecorated) renameDecorators(file, method);
      else if (parameters.length > 2) decorate(file, method);
    }
  }
}

/** Adds `@Req()` to the request, which was the third parameter, and decorates the others. */
function decorate(file: SourceMigration, method: MethodDeclaration): void {
  const [input, context, request] = method.getParameters();
  const add = (node: Node | undefined, decorator: string) => {
    if (node !== undefined) file.edits.insert(node.getStart(), `@${decorator}() `);
  };
  add(input, file.use('Arguments'));
  add(context, file.use('Context'));
  add(request, file.use('Req', NEST));
}

/** This package's names for Nest's microservice decorators. */
const OF_MICROSERVICES: Readonly<Record<string, string>> = { Payload: 'Arguments', Ctx: 'Context' };

function renameDecorators(file: SourceMigration, method: MethodDeclaration): void {
  for (const decorator of method.getParameters().flatMap((parameter) => parameter.getDecorators())) {
    const ours = OF_MICROSERVICES[decorator.getName()];
    if (ours !== undefined) file.edits.replace(getNameSpan(decorator), file.use(ours));
  }
}

function getNameSpan(decorator: Decorator) {
  const name = decorator.getCallExpression()?.getExpression() ?? decorator.getExpression();
  return { start: name.getStart(), end: name.getEnd() };
}
