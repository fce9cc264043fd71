import { callTool } from '../../../support/clients/tools.js';

/** What a process of the server uses once all garbage is gone. */
export interface ProcessUsage {
  /** The heap, and what buffers have beside it. */
  readonly heapBytes: number;
  readonly rssBytes: number;
  /** Sessions that it knows. */
  readonly sessions: number;
}

/** What each of several processes uses. */
export async function readUsage(urls: readonly string[]): Promise<readonly ProcessUsage[]> {
  const readings = [];
  for (const url of urls) readings.push(JSON.parse(await callTool(url, 'figures', {})) as ProcessUsage);
  return readings;
}

/** What each of something takes of a process more than before. */
export function usageOfEach(
  count: number,
  before: ProcessUsage,
  after: ProcessUsage,
): Pick<ProcessUsage, 'heapBytes' | 'rssBytes'> {
  return {
    heapBytes: (after.heapBytes - before.heapBytes) / count,
    rssBytes: (after.rssBytes - before.rssBytes) / count,
  };
}
