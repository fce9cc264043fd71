import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';

/** Whoever runs tasks here, among all that share a store: servers of one process are several. */
@Injectable()
export class TaskHolder {
  readonly id = randomUUID();
}
