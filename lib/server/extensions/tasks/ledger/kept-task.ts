import { estimateText } from '../../../../core/protocol/measured-json.js';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import { isOver } from './task-changes.js';

/** Bytes of heap for a character of JSON that is kept as objects, as most JSON is. */
const OBJECT_FACTOR = 12;

/** What the end of a task takes at most that brings no result: it must find room when nothing else does. */
const END_BYTES = 1024;

/** What every record has that is over. */
const OVER = { inputRequests: {}, inputResponses: {} } as const;

/** A task as this process keeps it. A finished task is text, which takes a tenth of the memory of its objects. */
export class KeptTask {
  readonly taskId: string;
  readonly version: number;
  readonly createdAt: string;
  readonly expires: number;
  readonly owner: string | undefined;
  readonly sessionId: string | undefined;
  readonly scopes: readonly string[] | undefined;
  /** Bytes of heap that it takes in addition to a minimal task. */
  readonly bytes: number;
  readonly #holder: string | undefined;
  readonly #kept: TaskRecord | string;

  constructor(
    record: TaskRecord,
    /** Where an owner without a token is, if that is known. */
    readonly address?: string,
  ) {
    const { taskId, version, createdAt, expires, owner, sessionId, scopes, holder, ...rest } = record;
    this.taskId = taskId;
    this.version = version;
    this.createdAt = createdAt;
    this.expires = expires;
    this.owner = owner;
    this.sessionId = sessionId;
    this.scopes = scopes;
    this.#holder = holder;
    this.#kept = isOver(record) ? formatOver(rest) : record;
    this.bytes = countBytes(record, this.#kept);
  }

  get isOver(): boolean {
    return typeof this.#kept === 'string';
  }

  get record(): TaskRecord {
    if (typeof this.#kept !== 'string') return this.#kept;
    const { taskId, version, createdAt, expires, owner, sessionId, scopes } = this;
    const holder = this.#holder;
    return {
      ...(JSON.parse(this.#kept) as Omit<TaskRecord, keyof typeof OVER>),
      ...OVER,
      taskId,
      version,
      createdAt,
      expires,
      ...(owner !== undefined && { owner }),
      ...(sessionId !== undefined && { sessionId }),
      ...(scopes !== undefined && { scopes }),
      ...(holder !== undefined && { holder }),
    };
  }
}

function formatOver({
  inputRequests: _asked,
  inputResponses: _answered,
  ...rest
}: Partial<TaskRecord>): string {
  return JSON.stringify(rest);
}

/** The holder of a running task counts its call. Questions and answers are added. */
function countBytes({ inputRequests, inputResponses }: TaskRecord, kept: TaskRecord | string): number {
  if (typeof kept === 'string') return estimateText(kept);
  return END_BYTES + JSON.stringify([inputRequests, inputResponses]).length * OBJECT_FACTOR;
}
