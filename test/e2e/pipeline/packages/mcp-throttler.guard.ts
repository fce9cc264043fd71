import { Injectable, type ExecutionContext } from '@nestjs/common';
import { ThrottlerGuard } from '@nestjs/throttler';
import { McpExecutionContext } from 'nestjs-mcp';

/** Counts the calls of each handler by caller, whatever they come by; routes are counted as ever. */
@Injectable()
export class McpThrottlerGuard extends ThrottlerGuard {
  protected override async getTracker(request: Record<string, unknown>, context?: ExecutionContext) {
    if (context?.getType<string>() !== 'mcp') return super.getTracker(request);
    return McpExecutionContext.create(context).getCaller();
  }

  protected override getRequestResponse(context: ExecutionContext) {
    const http = context.switchToHttp();
    const req = http.getRequest<Record<string, unknown> | undefined>() ?? { headers: {} };
    return { req, res: http.getResponse<Record<string, unknown>>() };
  }
}
