import { createRequire } from 'node:module';

/** The fields of this package's `package.json`. */
export interface OwnPackage {
  readonly name: string;
  readonly version: string;
  readonly repository: { readonly url: string };
}

/** Reads this package's `package.json`. In the published package, the build has inlined it here. */
export function readOwnPackage(): OwnPackage {
  return createRequire(import.meta.url)('nestjs-mcp/package.json') as OwnPackage;
}
