import type * as AppBridgePackage from '@modelcontextprotocol/ext-apps/app-bridge';
import type * as Playwright from 'playwright-core';

/** The packages of a host of apps in a browser. */
export interface HostPackages {
  readonly bridge: typeof AppBridgePackage;
  readonly playwright: typeof Playwright;
}

/**
 * Loads the official bridge and what drives a browser, which applications install for their tests alone. By the `try` bundlers know that
 * they may be absent.
 *
 * @throws {Error} if one of them is not installed, with what to do
 */
export async function loadHostPackages(): Promise<HostPackages> {
  const [bridge, playwright] = await Promise.all([loadBridge(), loadPlaywright()]);
  return { bridge, playwright };
}

async function loadBridge(): Promise<HostPackages['bridge']> {
  try {
    return await import('@modelcontextprotocol/ext-apps/app-bridge');
  } catch (cause) {
    throw explain('@modelcontextprotocol/ext-apps', cause);
  }
}

async function loadPlaywright(): Promise<HostPackages['playwright']> {
  try {
    return await import('playwright-core');
  } catch (cause) {
    throw explain('playwright-core', cause);
  }
}

function explain(name: string, cause: unknown): unknown {
  if (!isMissing(cause, name)) return cause;
  const remedy = `run "npm install --save-dev ${name}"`;
  return new Error(`"McpAppHost" needs a package that is not installed: ${remedy}`, { cause });
}

/** An installed package that lacks one of its own dependencies is another case. */
function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { readonly code?: unknown };
  const isAbsent = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  return isAbsent && error.message.includes(`'${name}`);
}
