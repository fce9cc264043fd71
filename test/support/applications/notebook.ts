import { Inject, Injectable, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import {
  Context,
  Prompt,
  Public,
  Resource,
  StateError,
  Tool,
  type McpContext,
  type McpRequest,
  type StateValues,
} from 'nestjs-mcp';
import { z } from 'zod';
import { entriesOf } from '../clients/entries.js';
import type { PerRequestClient } from '../clients/json-rpc.js';
import type { JsonObject } from '../clients/message.js';

const ACTION = z.object({
  action: z.enum(['get', 'set', 'has', 'delete', 'append']),
  key: z.string().default('notes'),
  value: z.unknown().optional(),
  ttlMs: z.number().optional(),
  handle: z.string().optional(),
});

type Action = z.infer<typeof ACTION>;

/** Gives the context of the call to whoever injects it. */
@Injectable({ scope: Scope.REQUEST })
export class CallScope {
  constructor(@Inject(REQUEST) readonly request: McpRequest) {}
}

/** Does to the state of its caller what the test says. */
@Injectable()
export class Notebook {
  @Public()
  @Tool({ inputSchema: ACTION, task: 'optional' })
  async note(action: Action, { state }: McpContext): Promise<object> {
    return report(async () => act(action.handle === undefined ? state : state.open(action.handle), action));
  }

  @Resource({ uri: 'note://notes' })
  async notes(_given: object, { state }: McpContext): Promise<string> {
    return JSON.stringify((await state.get('notes')) ?? null);
  }

  @Prompt()
  async recall(_given: object, { state }: McpContext): Promise<string> {
    return JSON.stringify((await state.get('notes')) ?? null);
  }

  @Public()
  @Tool()
  begin(@Context() { state }: McpContext): object {
    return { handle: state.createHandle(), isKnown: state.isKnown };
  }
}

/** The same through what is injected for each call. */
@Injectable()
export class InjectedNotebook {
  constructor(private readonly scope: CallScope) {}

  @Tool({ inputSchema: ACTION })
  async injected(action: Action): Promise<object> {
    return report(async () => act(this.scope.request.state, action));
  }
}

async function act(state: StateValues, { action, key, value, ttlMs }: Action): Promise<unknown> {
  const options = ttlMs === undefined ? {} : { ttlMs };
  switch (action) {
    case 'get':
      return state.get(key);
    case 'has':
      return state.has(key);
    case 'delete':
      return state.delete(key);
    case 'append':
      return state.update<unknown[]>(key, (before = []) => [...before, value], options);
    default:
      return state.set(key, value, options);
  }
}

async function report(work: () => Promise<unknown>): Promise<object> {
  try {
    return { given: (await work()) ?? null };
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    return { code: error.code, message: error.message };
  }
}

/** Calls the notebook on the stateless wire, and gives what came of it. */
export async function note(
  client: Pick<PerRequestClient, 'request'>,
  action: Action['action'],
  more: JsonObject = {},
  meta: JsonObject = {},
): Promise<unknown> {
  const params = { name: 'note', arguments: { action, ...more }, _meta: meta };
  const { result, response } = await client.request('tools/call', params);
  if (result === undefined) throw new Error(`The notebook was answered with ${JSON.stringify(response)}`);
  return readNote(result);
}

/** Reads what the notebook gave. */
export function readNote(result: JsonObject | undefined): unknown {
  const [{ text } = {}] = entriesOf(result, 'content');
  const { given, code } = JSON.parse(String(text)) as { readonly given?: unknown; readonly code?: string };
  return code ?? given;
}

/** Asks the notebook for a handle. */
export async function beginNotes(client: Pick<PerRequestClient, 'request'>): Promise<string> {
  const { result } = await client.request('tools/call', { name: 'begin' });
  return String(Object(result?.['structuredContent'])['handle']);
}
