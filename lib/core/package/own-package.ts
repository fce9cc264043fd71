import { createRequire } from 'node:module';

/** What this package says of itself. */
export interface OwnPackage {
  readonly name: string;
  readonly version: string;
}

/** Reads the name and the version of this package; in what is published they stand here as they were when it was built. */
export function readOwnPackage(): OwnPackage {
  return createRequire(import.meta.url)('nestjs-mcp/package.json') as OwnPackage;
}
