import { Injectable } from '@nestjs/common';
import { Claims, Tool } from 'nestjs-mcp';

/** Offers a tool that tells callers whom the server takes them for. */
@Injectable()
export class WhoamiTool {
  @Tool({ description: 'Tells who calls' })
  whoami(@Claims('sub') subject: string): string {
    return subject;
  }
}
