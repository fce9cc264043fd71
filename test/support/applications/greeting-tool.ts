import { Injectable } from '@nestjs/common';
import { Public, Tool } from 'nestjs-mcp';

/** Offers a tool that shows that calls come through. */
@Injectable()
export class GreetingTool {
  @Tool({ description: 'Greets' })
  greet(): string {
    return 'hello';
  }
}

/** Offers the same to strangers, where others have a token. */
@Injectable()
export class PublicGreetingTool {
  @Public()
  @Tool({ description: 'Greets' })
  greet(): string {
    return 'hello';
  }
}
