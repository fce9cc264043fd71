import type * as OfficialClient from '@modelcontextprotocol/client';

const PACKAGE = '@modelcontextprotocol/client';

/**
 * Loads the official client, which applications install for their tests alone.
 *
 * @throws {Error} if it is not installed, with what to do
 */
export async function loadOfficialClient(): Promise<typeof OfficialClient> {
  try {
    return await import('@modelcontextprotocol/client');
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    throw new Error(
      `"nestjs-mcp/testing" needs a package that is not installed: run "npm install --save-dev ${PACKAGE}"`,
      { cause },
    );
  }
}

/** An installed package that lacks one of its own dependencies is another case. */
function isMissing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { readonly code?: unknown };
  return (
    (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') &&
    /'@modelcontextprotocol\/client'/.test(error.message)
  );
}
