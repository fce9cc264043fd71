import { Injectable } from '@nestjs/common';
import { StateError, Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';

const Kept = z.object({
  key: z.string(),
  value: z.unknown(),
  handle: z.string().optional(),
  ttlMs: z.int().optional(),
});
const Key = Kept.pick({ key: true, handle: true });

/** Tools that keep something for their caller. */
@Injectable()
export class StateTools {
  @Tool({ description: 'Gives a handle' })
  handle(_arguments: object, { state }: McpContext): string {
    return state.createHandle();
  }

  @Tool({ description: 'Keeps a value', inputSchema: Kept })
  keep({ key, value, handle, ttlMs }: z.infer<typeof Kept>, { state }: McpContext): Promise<string> {
    const place = handle === undefined ? state : state.open(handle);
    return tell(() => place.set(key, value, ttlMs === undefined ? {} : { ttlMs }));
  }

  @Tool({ description: 'Adds a value to a list', inputSchema: Kept })
  add({ key, value, handle }: z.infer<typeof Kept>, { state }: McpContext): Promise<string> {
    const place = handle === undefined ? state : state.open(handle);
    return tell(() => place.update<unknown[]>(key, (before = []) => [...before, value]));
  }

  @Tool({ description: 'Gives a value', inputSchema: Key })
  kept({ key, handle }: z.infer<typeof Key>, { state }: McpContext): Promise<string> {
    return tell(() => (handle === undefined ? state : state.open(handle)).get(key));
  }
}

async function tell(work: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify((await work()) ?? null);
  } catch (error) {
    if (error instanceof StateError) return error.code;
    throw error;
  }
}
