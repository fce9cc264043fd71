import { randomUUID } from 'node:crypto';

/** The runner of tasks here, among all that share a store. Each server of a process is one. */
export class TaskHolder {
  readonly id = randomUUID();
}
