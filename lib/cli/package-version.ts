import { createRequire } from 'node:module';

/** Reads the version of this package. */
export function readPackageVersion(): string {
  const { version } = createRequire(import.meta.url)('nestjs-mcp/package.json') as {
    readonly version: string;
  };
  return version;
}
