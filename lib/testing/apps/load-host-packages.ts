import type * as AppBridgePackage from '@modelcontextprotocol/ext-apps/app-bridge';
import type * as Playwright from 'playwright-core';
import { explainAbsenceInTests } from '../explain-absence-in-tests.js';

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
    throw explainAbsenceInTests('McpAppHost', '@modelcontextprotocol/ext-apps', cause);
  }
}

async function loadPlaywright(): Promise<HostPackages['playwright']> {
  try {
    return await import('playwright-core');
  } catch (cause) {
    throw explainAbsenceInTests('McpAppHost', 'playwright-core', cause);
  }
}
