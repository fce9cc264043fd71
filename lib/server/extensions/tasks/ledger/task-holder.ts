import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';

/** The runner of tasks here, among all that share a store. Each server of a process is one. */
@Injectable()
export class TaskHolder {
  readonly id = randomUUID();
}
