import { Injectable } from '@nestjs/common';
import { Tool } from 'nestjs-mcp';

/** Offers a tool that shows that calls come through. */
@Injectable()
export class GreetingTool {
  @Tool({ description: 'Greets' })
  greet(): string {
    return 'hello';
  }
}
