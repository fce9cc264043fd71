import { Injectable } from '@nestjs/common';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import type { ExtensionContext } from '../../../dispatch/extension.interface.js';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import { TaskLedger } from './task-ledger.js';

/** Tasks as their owners find them: one of somebody else is as unknown as one that never was. */
@Injectable()
export class OwnedTasks {
  constructor(private readonly ledger: TaskLedger) {}

  /**
   * Gets the task that a request names.
   *
   * @throws {McpError} -32602 where there is none that the caller may know of
   */
  async get(context: ExtensionContext): Promise<TaskRecord> {
    const { taskId } = context.params;
    if (typeof taskId !== 'string') throw McpError.invalidParams('"taskId" must be a string');
    const record = await this.find(taskId, context);
    if (record === undefined) throw McpError.invalidParams('"taskId" names no task, or one that has expired');
    return record;
  }

  /** Finds a task of the caller. */
  async find(taskId: string, { identity }: ExtensionContext): Promise<TaskRecord | undefined> {
    const record = await this.ledger.find(taskId);
    return record?.owner === identity ? record : undefined;
  }
}
