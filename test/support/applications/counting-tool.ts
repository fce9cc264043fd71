import { Injectable } from '@nestjs/common';
import { Tool } from 'nestjs-mcp';

/** Offers a tool that shows whether a call has reached it. */
@Injectable()
export class CountingTool {
  calls = 0;

  @Tool({ description: 'Counts its calls' })
  count(): string {
    this.calls += 1;
    return String(this.calls);
  }
}
