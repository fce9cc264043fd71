import { Injectable } from '@nestjs/common';
import {
  RequireScope,
  Tool,
  type AuthOptions,
  type McpContext,
  type TaskRecord,
  type TaskSelection,
  type TaskStore,
} from 'nestjs-mcp';
import { z } from 'zod';
import { Gates } from '../../../support/applications/gate.js';
import { PUBLISHED } from '../../../support/applications/protected-desk.js';

/** Tokens of one caller: one that may print, and one that may not. */
export const ADA = {
  full: { token: 'fixed-token-of-ada-who-prints', subject: 'ada', scopes: ['desk:read', 'desk:print'] },
  lesser: { token: 'fixed-token-of-ada-who-reads', subject: 'ada', scopes: ['desk:read'] },
};

/** What asks for them. */
export const AUTH: AuthOptions = {
  ...PUBLISHED,
  requiredScopes: ['desk:read'],
  bearer: [ADA.full, ADA.lesser],
};

const NAMED = z.object({ name: z.string() });

/** Tools that run as tasks, of which some require a scope. */
@Injectable()
export class PressTools {
  readonly gates = new Gates();

  @Tool({ description: 'Prints', inputSchema: NAMED, task: 'optional', pollIntervalMs: 20 })
  @RequireScope('desk:print')
  async print({ name }: { name: string }, context: McpContext): Promise<string> {
    context.task?.setStatusMessage(`the draft of ${name}`);
    await this.gates.at(name).pass(context.signal);
    return `the print of ${name}`;
  }

  @Tool({ description: 'Asks before it prints', task: 'optional' })
  @RequireScope('desk:print')
  async confirm(_arguments: object, context: McpContext): Promise<string> {
    const { action } = await context.elicit({ key: 'sure', message: 'Print it?', schema: z.object({}) });
    return action;
  }

  @Tool({ description: 'Finds out late what it needs', inputSchema: NAMED, task: 'optional' })
  async late({ name }: { name: string }, context: McpContext): Promise<string> {
    await this.gates.at(name).pass(context.signal);
    context.auth.requireScope('desk:print');
    return `the print of ${name}`;
  }

  @Tool({ description: 'Reads', task: 'optional' })
  read(): string {
    return 'read';
  }
}

/** A store of somebody else's: it keeps what it is given, as JSON, and knows nothing of scopes. */
export class PlainTaskStore implements TaskStore {
  readonly records = new Map<string, string>();

  async create(record: TaskRecord): Promise<void> {
    this.records.set(record.taskId, JSON.stringify(record));
  }

  async find(taskId: string): Promise<TaskRecord | undefined> {
    const record = this.records.get(taskId);
    return record === undefined ? undefined : (JSON.parse(record) as TaskRecord);
  }

  async replace(record: TaskRecord): Promise<boolean> {
    if ((await this.find(record.taskId))?.version !== record.version - 1) return false;
    this.records.set(record.taskId, JSON.stringify(record));
    return true;
  }

  async list({ owner, after, limit }: TaskSelection): Promise<readonly TaskRecord[]> {
    const key = ({ createdAt, taskId }: Pick<TaskRecord, 'createdAt' | 'taskId'>) => `${createdAt} ${taskId}`;
    return this.#all()
      .filter((record) => record.owner === owner)
      .toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
      .filter((record) => after === undefined || key(record) > key(after))
      .slice(0, limit);
  }

  async listOpen(): Promise<readonly TaskRecord[]> {
    return this.#all().filter(({ status }) => status === 'working' || status === 'input_required');
  }

  async removeExpired(): Promise<void> {}

  #all(): TaskRecord[] {
    return [...this.records.values()].map((record) => JSON.parse(record) as TaskRecord);
  }
}
