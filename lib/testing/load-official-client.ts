import type * as OfficialClient from '@modelcontextprotocol/client';
import { explainAbsenceInTests } from './explain-absence-in-tests.js';

/**
 * Loads the official client, which applications install for their tests alone.
 *
 * @throws {Error} if it is not installed, with what to do
 */
export async function loadOfficialClient(): Promise<typeof OfficialClient> {
  try {
    return await import('@modelcontextprotocol/client');
  } catch (cause) {
    throw explainAbsenceInTests('nestjs-mcp/testing', '@modelcontextprotocol/client', cause);
  }
}
