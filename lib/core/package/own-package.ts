import { createRequire } from 'node:module';

/** What this package says of itself. */
export interface OwnPackage {
  readonly name: string;
  readonly version: string;
  readonly repository: { readonly url: string };
}

/** Reads what this package says of itself. In the published package, the build has written them here. */
export function readOwnPackage(): OwnPackage {
  return createRequire(import.meta.url)('nestjs-mcp/package.json') as OwnPackage;
}
