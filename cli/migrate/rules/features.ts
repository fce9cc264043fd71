import type { CallExpression, Node } from 'ts-morph';
import type { Migration } from '../migration.js';
import type { SourceMigration } from '../source/source-migration.js';

/** A call of `McpModule.forFeature()` of release 1. */
export interface Feature {
  readonly file: SourceMigration;
  readonly call: CallExpression;
  readonly providers: Node | undefined;
  /** How the name of the server is written. */
  readonly server: string | undefined;
}

/** Finds which classes are given to which servers. */
export function findFeatures({ files }: Migration): readonly Feature[] {
  return files.flatMap((file) => {
    const { Node: is } = file.facts.morph;
    return file.references.flatMap(({ name, node }) => {
      const access = node.getParent();
      if (name !== 'McpModule' || !is.isPropertyAccessExpression(access)) return [];
      const call = access.getParent();
      if (access.getName() !== 'forFeature' || !is.isCallExpression(call)) return [];
      const [providers, server] = call.getArguments();
      return [{ file, call, providers, server: server?.getText() }];
    });
  });
}
