import type * as AppBridgePackage from '@modelcontextprotocol/ext-apps/app-bridge';
import type * as Playwright from 'playwright-core';
import { explainMissingTestPackage } from '../explain-absence-in-tests.js';

/** The packages of a host of apps in a browser. */
export interface HostPackages {
  readonly bridge: typeof AppBridgePackage;
  readonly playwright: typeof Playwright;
}

/**
 * Loads the official bridge and the browser driver, which applications install only for their tests. The `try` shows
 * bundlers that they may be absent.
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
    throw explainMissingTestPackage('McpAppHost', '@modelcontextprotocol/ext-apps', cause);
  }
}

async function loadPlaywright(): Promise<HostPackages['playwright']> {
  try {
    return await import('playwright-core');
  } catch (cause) {
    throw explainMissingTestPackage('McpAppHost', 'playwright-core', cause);
  }
}
