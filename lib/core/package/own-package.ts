import { createRequire } from 'node:module';

/** What this package says of itself. */
export interface OwnPackage {
  readonly name: string;
  readonly version: string;
}

/** Reads the name and the version of this package. In the published package, the build has written them here. */
export function readOwnPackage(): OwnPackage {
  return createRequire(import.meta.url)('nestjs-mcp/package.json') as OwnPackage;
}
