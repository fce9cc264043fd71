import type * as AppBridgePackage from '@modelcontextprotocol/ext-apps/app-bridge';
import type * as Playwright from 'playwright-core';

/** What a host of apps in a browser is made of. */
export interface HostPackages {
  readonly bridge: typeof AppBridgePackage;
  readonly playwright: typeof Playwright;
}

/**
 * Loads the official bridge and what drives a browser, which applications install for their tests alone.
 *
 * @throws {Error} if one of them is not installed, with what to do
 */
export async function loadHostPackages(): Promise<HostPackages> {
  const [bridge, playwright] = await Promise.all([
    load('@modelcontextprotocol/ext-apps', () => import('@modelcontextprotocol/ext-apps/app-bridge')),
    load('playwright-core', () => import('playwright-core')),
  ]);
  return { bridge, playwright };
}

async function load<Package>(name: string, importIt: () => Promise<Package>): Promise<Package> {
  try {
    return await importIt();
  } catch (cause) {
    if (!isMissing(cause, name)) throw cause;
    throw new Error(
      `"McpAppHost" needs a package that is not installed: run "npm install --save-dev ${name}"`,
      { cause },
    );
  }
}

/** A package that is there, and lacks one of its own, is another matter. */
function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { readonly code?: unknown };
  const isAbsent = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  return isAbsent && error.message.includes(`'${name}`);
}
