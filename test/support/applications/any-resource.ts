import { Injectable } from '@nestjs/common';
import { ResourceTemplate } from 'nestjs-mcp';

/** Serves every URI of the scheme `desk`, so that each can be subscribed to. */
@Injectable()
export class AnyResource {
  @ResourceTemplate({ uriTemplate: 'desk://{+path}', name: 'any' })
  read({ path }: { path: string }): string {
    return path;
  }
}
